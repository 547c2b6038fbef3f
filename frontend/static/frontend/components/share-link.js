/** <share-link verb copied>a link</share-link> hands its link to whatever the phone shares with; elsewhere, and with `copies`, it is copied. The words are the attributes; without a script the link is there. */
export class ShareLink extends HTMLElement {
  static define(tag = "share-link") { customElements.define(tag, this) }

  connectedCallback() {
    const { href, textContent } = this.querySelector("a")
    const button = Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: this.getAttribute("verb") })
    button.onclick = async () => {
      try {
        if (navigator.share && !this.hasAttribute("copies")) await navigator.share({ url: href, title: textContent })
        else {
          await navigator.clipboard.writeText(href)
          button.textContent = this.getAttribute("copied")
        }
      } catch (error) {
        if (error.name !== "AbortError") this.replaceChildren(this.#link(href, textContent))
      }
    }
    this.replaceChildren(button)
  }

  /** Where neither is allowed, the link itself. */
  #link(href, textContent) { return Object.assign(document.createElement("a"), { href, textContent }) }
}
