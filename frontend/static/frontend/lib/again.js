import { getPage } from "lib/fetching.js"

/** Asks for this page again every so many seconds, and loads it anew once it says something else: never under
 * the hands of somebody who is filling in a form on it. */
export function again(seconds) {
  const later = () => setTimeout(ask, seconds * 1000)
  const ask = async () => {
    try {
      const page = await getPage(location.href)
      if (plain(page) !== plain(document) && !isInUse()) return location.reload()
    } catch (error) {
      console.warn(error)
    }
    later()
  }
  later()
}

const FIELDS = "main :is(input:not([type=hidden]), textarea, select)"
const isChanged = field => field.matches("select") ? field.selectedIndex !== Math.max([...field.options].findIndex(one => one.defaultSelected), 0)
  : field.matches("[type=checkbox], [type=radio]") ? field.checked !== field.defaultChecked : field.value !== field.defaultValue
const isInUse = () => [...document.querySelectorAll(FIELDS)].some(field => field === document.activeElement || isChanged(field))
const plain = page => page.querySelector("main").innerHTML.replace(/(csrfmiddlewaretoken" value=")[^"]*/g, "$1")
