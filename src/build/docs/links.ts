/** Where the links of a Markdown file lead when it is served below /docs and not lying in the repository. */
import { posix } from 'node:path'

const FENCE = /^(```[^]*?^```)$/m
const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g

/**
 * The same text with links to what is served. A link to anything else of the repository keeps its words and is none.
 *
 * @param file the path in the repository, from which links are read
 * @param addressOf the address of a file of the repository; null where it is not served
 */
export function relinked(text: string, file: string, addressOf: (file: string) => string | null): string {
  const replaced = (part: string) =>
    part.replaceAll(LINK, (whole: string, mark: string, words: string, target: string) => {
      if (/^(?:[a-z]+:|\/)/.test(target)) return whole
      const [path = '', anchor] = target.split('#')
      // An anchor alone is of this file, also where several files are read as one.
      const address = addressOf(path === '' ? file : posix.join(posix.dirname(file), path))
      if (address === null) return mark ? '' : words
      return `${mark}[${words}](${address}${anchor === undefined ? '' : `#${anchor}`})`
    })
  // Fenced code stands at every second place.
  return text
    .split(FENCE)
    .map((part, at) => (at % 2 === 0 ? replaced(part) : part))
    .join('')
}
