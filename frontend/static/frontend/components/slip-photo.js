const SIDE = 1600, QUALITY = .85

/**
 * <slip-photo offline="…" sending="…"> holds the form that sends a photograph: it makes the picture small before it is
 * sent, and says where there is no network. Without a script the form sends what the camera took.
 */
export class SlipPhoto extends HTMLElement {
  static define(tag = "slip-photo") { customElements.define(tag, this) }

  #connection = new AbortController()
  // the newest picture, once it is small
  #ready = Promise.resolve()

  connectedCallback() {
    const { signal } = this.#connection
    this.addEventListener("change", ({ target }) => { if (target.type === "file") this.#ready = this.#shrink(target) }, { signal })
    this.addEventListener("submit", this.#send, { signal })
  }

  disconnectedCallback() { this.#connection.abort() }

  /** What no browser reads as a picture stays as it is: the service says what is wrong with it. */
  async #shrink(input) {
    const [file] = input.files
    if (!file) return
    try {
      const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" })
      const scale = Math.min(1, SIDE / Math.max(bitmap.width, bitmap.height)), canvas = document.createElement("canvas")
      canvas.width = Math.round(bitmap.width * scale)
      canvas.height = Math.round(bitmap.height * scale)
      canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height)
      const small = await new Promise((resolve) => { canvas.toBlob(resolve, "image/jpeg", QUALITY) })
      if (!small || small.size >= file.size || input.files[0] !== file) return
      const chosen = new DataTransfer()
      chosen.items.add(new File([small], "slip.jpg", { type: "image/jpeg" }))
      input.files = chosen.files
    } catch { /* the service says so */ }
  }

  #send = async (event) => {
    event.preventDefault()
    const form = event.target, says = this.querySelector(".says")
    if (form.ariaBusy === "true") return
    form.ariaBusy = "true"
    says.textContent = this.getAttribute("sending")
    await this.#ready
    try {
      const answer = await fetch(location.href, { method: "POST", body: new FormData(form), credentials: "omit" })
      const isPage = answer.headers.get("Content-Type")?.startsWith("text/html")
      if (answer.redirected) return location.assign(answer.url)
      if (isPage) document.querySelector("main").replaceWith(new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main"))
      else says.textContent = (await answer.json()).detail
    } catch { says.textContent = this.getAttribute("offline") }
    form.ariaBusy = null
  }
}
