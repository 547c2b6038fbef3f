/** What a machine can see of a page, for the tests: each answers with plain values. */
globalThis.looks = (() => {
  const colour = text => {
    const parts = text.match(/[\d.]+(?:e-?\d+)?/g).map(Number)
    return text.startsWith("color(srgb") ? parts.map((part, i) => i < 3 ? part * 255 : part) : parts  // mixed
  }
  const isClear = ([, , , opacity = 1]) => opacity < 0.99
  const luminance = ([r, g, b]) => [r, g, b].map(c => c / 255)
    .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0)
  const contrast = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b)
    return (light + 0.05) / (dark + 0.05)
  }
  const ground = element => {
    for (let e = element; e; e = e.parentElement) {
      const behind = colour(getComputedStyle(e).backgroundColor)
      if (!isClear(behind)) return behind
    }
    return [255, 255, 255]
  }
  const texts = unseen => {
    const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node; node = walk.nextNode();) {
      const element = node.parentElement
      if (node.textContent.trim() && element.checkVisibility() && !element.closest(unseen)) found.push(element)
    }
    return found
  }
  const isClipped = e => e && (getComputedStyle(e).clipPath === "inset(50%)" || isClipped(e.parentElement))
  const tell = e => e.outerHTML.slice(0, 100)

  /** What the Tab key has to reach: of the buttons of a choice, the one that is chosen, or the first. */
  const reached = () => [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")]
    .filter(e => !e.disabled && e.tabIndex >= 0 && !e.closest("[inert]") && e.checkVisibility({ visibilityProperty: true }))
    .filter((e, at, all) => {
      if (e.type !== "radio") return true
      const choice = all.filter(one => one.type === "radio" && one.name === e.name && one.form === e.form)
      return e === (choice.find(one => one.checked) ?? choice[0])
    })
  const isSeen = ({ top, bottom, left, right }) => bottom > 0 && top < innerHeight && right > 0 && left < innerWidth
  const stops = []
  return {
    /** From now on, what has the focus is kept, with its ring; how often Tab has to be pressed. */
    listen: () => {
      const top = document.createElement("button")  // where the Tab key begins, whatever the page has focused
      document.body.prepend(top)
      top.focus()
      top.remove()
      stops.length = 0
      document.addEventListener("focusin", ({ target }) => {
        stops.push({ target, ring: looks.ring(), isSeen: isSeen((target.closest("label") ?? target).getBoundingClientRect()) })
      })
      const parts = document.querySelectorAll("input:is([type=date], [type=time], [type=datetime-local])").length
      return reached().length + 6 * parts + 5  // fields in parts, and what is scrolled, are more than one stop
    },

    /** What somebody misses who has pressed Tab so often: what was not reached, or out of order, or unseen. */
    missed: () => {
      const own = stops.map(({ target }) => target)
      const lap = own.indexOf(own[0], 1) < 0 ? own : own.slice(0, own.indexOf(own[0], 1))
      const back = lap.filter((e, at) => at && !(lap[at - 1].compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING))
      return [
        ...reached().filter(e => !own.includes(e)).map(e => `not reached: ${tell(e)}`),
        ...back.map(e => `out of order: ${tell(e)}`),
        ...stops.filter(one => !one.isSeen).map(({ target }) => `out of sight: ${tell(target)}`),
        ...stops.filter(({ ring }) => ring && (ring.width < 2 || ring.contrast < 3)).map(({ target }) => `no ring: ${tell(target)}`),
      ]
    },

    /** Texts with less contrast than this to what lies behind them; what is switched off needs none. */
    faint: least => texts(":disabled, .unseen")
      .filter(e => !isClear(colour(getComputedStyle(e).color)))
      .filter(e => contrast(colour(getComputedStyle(e).color), ground(e)) < least)
      .map(tell),

    /** Texts smaller than so many pixels. The sign of a tie is a mark. */
    small: least => texts(".unseen, .equal").filter(e => parseFloat(getComputedStyle(e).fontSize) < least).map(tell),

    /** What is touched and is not so many pixels high. A link within a sentence is as high as the sentence. */
    narrow: least => [...document.querySelectorAll("a, button, input:not([type=hidden]), select, textarea, summary")]
      .filter(e => e.checkVisibility() && !e.closest("p, .skip, .unseen"))
      .map(e => e.closest("label") ?? e)
      .filter(e => e.getBoundingClientRect().height < least - 0.5)
      .map(tell),

    /** Text that is cut off, or leaves the window; not within what is scrolled sideways, by keys as well. */
    cut: () => [...new Set(texts(".unseen, .skip, .tabs, .sideways[tabindex], svg, select, [aria-hidden]"))]
      .filter(e => !isClear(colour(getComputedStyle(e).color)) && !isClipped(e))
      .filter(e => {
        const style = getComputedStyle(e), { left, right } = e.getBoundingClientRect()
        const hides = style.overflowX === "hidden" && e.scrollWidth > e.clientWidth + 1
        return style.textOverflow === "ellipsis" || hides || left < -1 || right > innerWidth + 1
      })
      .map(tell),

    /** Buttons that say "this is next", where there are several. */
    loud: () => {
      const filled = [...document.querySelectorAll("main .button.filled")]
        .filter(e => e.checkVisibility({ visibilityProperty: true }) && !e.closest("dialog"))
      return filled.length > 1 ? filled.map(tell) : []
    },

    /** How many pixels wider words are here than in prose: 0 if only the figures are tabular. */
    spread: () => {
      const width = how => {
        const span = document.body.appendChild(document.createElement("span"))
        span.style.cssText = `position: absolute; white-space: nowrap; font-variant-numeric: ${how}`
        span.textContent = "peut-être, Saint-Rémy : (le reste)"
        const { width } = span.getBoundingClientRect()
        span.remove()
        return width
      }
      return Math.abs(width("tabular-nums lining-nums") - width("normal"))
    },

    /** The ring around what has the focus: its width, and its contrast to the page; null where nothing has it. */
    ring: () => {
      let e = document.activeElement
      if (!e || e === document.body) return null
      if (getComputedStyle(e).opacity === "0") e = e.parentElement  // drawn as its label
      const style = getComputedStyle(e)
      const behind = parseFloat(style.outlineOffset) < 0 ? ground(e) : ground(e.parentElement)
      const width = style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth)
      return { width, contrast: contrast(colour(style.outlineColor), behind), what: tell(e) }
    },
  }
})()
