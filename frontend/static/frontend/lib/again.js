import { buzz } from "lib/buzzing.js"
import { getPage } from "lib/fetching.js"

/** Asks for this page again every so many seconds, and shows it anew once it says something else: never under
 * the hands of somebody who is filling in a form on it. A round that has been opened meanwhile buzzes. */
export function again(seconds) {
  const later = () => setTimeout(ask, seconds * 1000)
  const ask = async () => {
    try {
      const page = await getPage(location.href)
      if (plain(page) !== plain(document) && !isInUse(document.querySelector("main"))) {
        if (!opened(page).length) return location.reload()
        const before = opened(document)
        document.querySelector("main").replaceWith(page.querySelector("main"))
        const [one] = opened(document).filter(words => !before.includes(words))
        if (one) buzz(one)
      }
    } catch (error) {
      console.warn(error)
    }
    later()
  }
  later()
}

// A phone buzzes on the page that its owner has touched alone, so that this one stays
const opened = page => [...page.querySelectorAll("main [data-opened]")].map(one => one.dataset.opened)
const FIELDS = "input:not([type=hidden]), textarea, select"
const isChanged = field => field.matches("select") ? field.selectedIndex !== Math.max([...field.options].findIndex(one => one.defaultSelected), 0)
  : field.matches("[type=checkbox], [type=radio]") ? field.checked !== field.defaultChecked : field.value !== field.defaultValue

/** Whether somebody is filling in a form in this part of the page. */
export const isInUse = part => [...part.querySelectorAll(FIELDS)].some(field => field === document.activeElement || isChanged(field))

const plain = page => page.querySelector("main").innerHTML.replace(/(csrfmiddlewaretoken" value=")[^"]*/g, "$1")
