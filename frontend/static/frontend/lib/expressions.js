/**
 * Expressions of result sheets, as docs/forms.md lists them: plain data, read here into functions of named values.
 * What nobody has told yet is undefined; null is an answer of its own. engines/expressions.py says the same.
 */

const read = new WeakMap()

/** What computes an expression from named values; made once for each expression. */
export function reader(data) {
  if (data === null || typeof data !== "object") return () => data
  if (!read.has(data)) read.set(data, readerOf(data))
  return read.get(data)
}

/** The value of an expression; `otherwise` where there is none. */
export const valueOf = (data, values, otherwise) => data === undefined ? otherwise : reader(data)(values)

function readerOf(data) {
  const [name] = Object.keys(data), terms = data[name]
  if (name === "get") {
    const [first, ...rest] = terms
    return (values) => rest.reduce(partOf, values[first])
  }
  if (name === "part") {
    const whole = reader(terms[0])
    return (values) => partOf(whole(values), terms[1])
  }
  if (name === "each") {
    const [variable, among, body, condition] = [terms[0], ...terms.slice(1).map(reader)]
    return (values) => {
      const whole = among(values)
      if (!Array.isArray(whole)) return undefined
      const found = []
      for (const element of whole) {
        const inner = { ...values, [variable]: element }
        const kept = condition(inner)
        if (kept === undefined) found.push(undefined)
        else if (isTrue(kept)) found.push(body(inner))
      }
      return found
    }
  }
  const readers = terms.map(reader)
  if (name === "if") {
    const [condition, then, other] = readers
    return (values) => {
      const holds = condition(values)
      return holds === undefined ? undefined : isTrue(holds) ? then(values) : other(values)
    }
  }
  const operation = OPERATIONS[name]
  return (values) => operation(...readers.map((one) => one(values)))
}

/** As Python has it: empty lists and objects, zero and nothing are false. */
export const isTrue = (one) => Array.isArray(one) ? one.length > 0
  : one !== null && typeof one === "object" ? Object.keys(one).length > 0 : Boolean(one)

export const isNumber = (one) => typeof one === "number" || typeof one === "boolean"

/** Whether two values are equal; true counts as 1. */
export function same(one, other) {
  if (Array.isArray(one)) return Array.isArray(other) && one.length === other.length && one.every((part, at) => same(part, other[at]))
  if (one !== null && typeof one === "object") {
    if (other === null || typeof other !== "object" || Array.isArray(other)) return false
    const names = Object.keys(one)
    return names.length === Object.keys(other).length && names.every((name) => name in other && same(one[name], other[name]))
  }
  return isNumber(one) && isNumber(other) ? Number(one) === Number(other) : one === other
}

const partOf = (whole, name) => whole === null ? null
  : whole !== undefined && typeof whole === "object" && !Array.isArray(whole) ? whole[name] : undefined
const not = (one) => one === undefined ? undefined : !isTrue(one)
const has = (list, wanted) => list.some((one) => one !== undefined && same(one, wanted))
const unknownIn = (list) => list.includes(undefined)

function equal(one, other) {
  if (one === undefined || other === undefined) return undefined
  if (Array.isArray(one) && Array.isArray(other) && (unknownIn(one) || unknownIn(other))) return undefined
  return same(one, other)
}

function among(one, list) {
  if (one === undefined || !Array.isArray(list)) return undefined
  return has(list, one) || (unknownIn(list) ? undefined : false)
}

/** False if one is false, else unknown if one is. */
function every(terms) {
  if (terms.some((one) => one !== undefined && !isTrue(one))) return false
  return unknownIn(terms) ? undefined : true
}

function some(terms) {
  if (terms.some((one) => one !== undefined && isTrue(one))) return true
  return unknownIn(terms) ? undefined : false
}

const ofNumbers = (operation) => (one, other) => isNumber(one) && isNumber(other) ? operation(Number(one), Number(other)) : undefined
const ofList = (operation) => (list) => Array.isArray(list) && list.every(isNumber) ? operation(list.map(Number)) : undefined
const total = (list) => list.reduce((sum, one) => sum + one, 0)

const OPERATIONS = {
  "list": (...terms) => terms,
  "at": (list, seat) => Array.isArray(list) && isNumber(seat) ? list[Number(seat) - 1] : undefined,
  "and": (...terms) => every(terms),
  "or": (...terms) => some(terms),
  "not": not,
  "==": equal,
  "!=": (one, other) => not(equal(one, other)),
  "<": ofNumbers((one, other) => one < other),
  "<=": ofNumbers((one, other) => one <= other),
  ">": ofNumbers((one, other) => one > other),
  ">=": ofNumbers((one, other) => one >= other),
  "in": among,
  "not in": (one, list) => not(among(one, list)),
  "+": ofNumbers((one, other) => one + other),
  "-": ofNumbers((one, other) => one - other),
  "*": ofNumbers((one, other) => one * other),
  "%": ofNumbers((one, other) => ((one % other) + other) % other),
  "sum": ofList(total),
  "so_far": (list) => Array.isArray(list) ? total(list.filter(isNumber).map(Number)) : undefined,
  "max": ofList((list) => list.length ? Math.max(...list) : undefined),
  "min": ofList((list) => list.length ? Math.min(...list) : undefined),
  "len": (list) => Array.isArray(list) ? list.length : undefined,
  "count": (list, wanted) => Array.isArray(list) && wanted !== undefined && !unknownIn(list)
    ? list.filter((one) => same(one, wanted)).length : undefined,
  "distinct": (list) => {
    if (!Array.isArray(list)) return undefined
    const known = list.filter((one) => one !== undefined)
    return known.every((one, at) => !has(known.slice(0, at), one))
  },
  "any": (list) => Array.isArray(list) ? some(list) : undefined,
  "all": (list) => Array.isArray(list) ? every(list) : undefined,
}
