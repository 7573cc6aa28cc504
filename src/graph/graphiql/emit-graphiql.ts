/** Build step: writes the offline GraphiQL page beside the compiled graph machine. */
import { writeFileSync } from 'node:fs'
import { renderGraphiQL } from '@graphql-yoga/render-graphiql'

const page = renderGraphiQL({
  title: 'Sluice GraphiQL',
  subscriptionsProtocol: 'GRAPHQL_SSE' as never,
  isHeadersEditorEnabled: true,
  headers: JSON.stringify({ authorization: 'Bearer <API_KEY>' }, null, 2),
  defaultQuery: '{\n  models(limit: 10) {\n    models {\n      id\n      availability\n    }\n  }\n}\n',
})
writeFileSync(new URL('./graphiql.html', import.meta.url), page)
