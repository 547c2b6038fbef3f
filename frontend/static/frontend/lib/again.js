import { buzz } from "lib/buzzing.js"
import { answered, unanswered } from "lib/connection.js"
import { follow, getPage } from "lib/fetching.js"

const MOMENT_MILLISECONDS = 600, IN_USE_MILLISECONDS = 15000

/** Asks for this page again every so many seconds, or where there is a `stream` as soon as that says that something is
 * new, and shows it anew once it says something else: never under the hands of somebody who is filling in a form on it. A
 * round that has been opened meanwhile buzzes. Nothing is asked while nobody sees the page; it is fresh as soon as
 * somebody does. */
export function again(seconds, stream = "") {
  let due = 0
  const soon = (milliseconds) => { due ||= setTimeout(ask, milliseconds) }
  const later = () => { if (!stream && !document.hidden) soon(seconds * 1000) }
  const ask = async () => {
    clearTimeout(due)
    due = 0
    try {
      const page = await getPage(location.href)
      answered(again)
      if (plain(page) !== plain(document)) {
        if (isInUse(document.querySelector("main"))) { if (stream) soon(IN_USE_MILLISECONDS) } else {
          if (!opened(page).length) return location.reload()
          const before = opened(document)
          document.querySelector("main").replaceWith(page.querySelector("main"))
          const [one] = opened(document).filter(words => !before.includes(words))
          if (one) buzz(one)
        }
      }
    } catch (error) {
      unanswered(again, error)
      console.warn(error)
    }
    later()
  }
  // each page of a hall at a moment of its own
  if (stream) return follow(stream, { event: "player", heard: () => soon(Math.random() * MOMENT_MILLISECONDS), poll: ask, signal: new AbortController().signal })
  document.addEventListener("visibilitychange", () => { if (document.hidden) { clearTimeout(due); due = 0 } else ask() })
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
