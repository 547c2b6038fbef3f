const WIDTH = 100, HEIGHT = 24

/** Between what the progress lines are drawn: 30 % and 70 %, or the farthest from 0 either way. */
export function windowOf(places) {
  if (places.some(({ top }) => top)) return [30, 70]
  const farthest = Math.max(0, ...places.flatMap(({ progress }) => progress.map(one => Math.abs(Number(one))))) || 1
  return [-farthest, farthest]
}

/** The points of a progress line in a box of 100 by 24, as the server draws them. */
export function points(progress, [low, high]) {
  const heights = progress.map(one => Math.min(Math.max(Number(one), low), high))
  if (heights.length === 1) heights.push(heights[0])
  const step = WIDTH / Math.max(heights.length - 1, 1)
  return heights.map((h, i) => `${(i * step).toFixed(1)},${(HEIGHT - (h - low) * HEIGHT / (high - low)).toFixed(1)}`).join(" ")
}

/** The path of a mark on the last point of a line, as the server draws it. */
export function lastOf(line) { return line && `M${line.split(" ").at(-1)}h0` }
