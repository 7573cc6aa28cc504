/**
 * Looked at before anything else is loaded: what Sluice stands on needs Node 24. Libraries also read NODE_ENV as they load:
 * without it graphql-js checks every type it meets for a second copy of itself.
 */
const REQUIRED = 24

if (Number.parseInt(process.versions.node, 10) < REQUIRED) {
  process.stderr.write(
    `Sluice needs Node ${REQUIRED} or newer and this is Node ${process.versions.node}. ` +
      'Run it through npm ("npx sluice", "npm start"), which uses the Node that was installed with it, or install a newer Node.\n',
  )
  process.exit(2)
}

process.env['NODE_ENV'] ??= 'production'
