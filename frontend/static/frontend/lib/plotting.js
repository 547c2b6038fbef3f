const LOW = 30, HIGH = 70, WIDTH = 100, HEIGHT = 24

/** The points of a progress line in a box of 100 by 24, as the server draws them: 30 % to 70 %. */
export function plotted(progress) {
  const heights = progress.map(percent => Math.min(Math.max(Number(percent), LOW), HIGH))
  if (heights.length === 1) heights.push(heights[0])
  const step = WIDTH / Math.max(heights.length - 1, 1)
  return heights.map((h, i) => `${(i * step).toFixed(1)},${(HEIGHT - (h - LOW) * HEIGHT / (HIGH - LOW)).toFixed(1)}`).join(" ")
}
