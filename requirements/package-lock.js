// Leaves versions and hashes in package-lock.json, and no addresses: `make locks` calls it.
const { readFileSync, writeFileSync } = require("node:fs")
const lock = JSON.parse(readFileSync("package-lock.json", "utf8"))
for (const part of Object.values(lock.packages)) {
  delete part.funding
  delete part.resolved
}
writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`)
