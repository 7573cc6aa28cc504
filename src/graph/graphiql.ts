/** The GraphiQL page, emitted once by the build so that it needs no network and no runtime dependency. */
import { readFileSync } from 'node:fs'
import { entryPoint } from '#platform/entry-point.js'

/** The page as HTML; it talks to the path that it was loaded from and streams subscriptions over server-sent events. */
export function graphiqlPage(): string {
  const path = entryPoint('./graphiql.js', import.meta.url).replace(/\.js$/, '.html')
  return readFileSync(path, 'utf8')
}
