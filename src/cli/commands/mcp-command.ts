/** `sluice mcp`: the five tools on standard input and output, for assistants that start their servers themselves. */
import type { Command } from 'commander'
import { packageVersion } from '#platform/package-root.js'
import { ServerFault } from '../graph-client.js'
import { printNote } from '../output.js'

interface McpOptions {
  readonly server?: string
}

export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description('serve the scanner to an assistant over standard input and output; scans in this process')
    .option('--server <url>', 'let this server scan instead, with the key in SLUICE_API_KEY')
    .action(serveTools)
}

async function serveTools({ server: url }: McpOptions): Promise<void> {
  const [{ StdioServerTransport }, { createMcpServers }, { languages, filenameFor }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/stdio.js'),
    import('../../mcp/mcp-server.js'),
    import('../../../subgraphs/compliance/engine/index.js'),
  ])
  const { backend, close } = url === undefined ? await localBackend() : await remoteBackend(url)
  const server = createMcpServers({
    backend,
    version: packageVersion(),
    languages,
    filenameFor,
    // Standard output belongs to the protocol.
    onUnexpected: (error) => printNote(error.detail ?? error.message),
  })()
  const closed = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve)
    process.once('SIGTERM', resolve).once('SIGINT', resolve)
  })
  await server.connect(new StdioServerTransport())
  await closed
  await server.close()
  await close()
}

async function localBackend() {
  const { createEngineBackend } = await import('../scan/engine-backend.js')
  return createEngineBackend()
}

async function remoteBackend(url: string) {
  const apiKey = process.env['SLUICE_API_KEY']
  if (!apiKey) throw new ServerFault('Set SLUICE_API_KEY to a key of that server.', 'usage')
  if (!URL.canParse(url)) throw new ServerFault(`"${url}" is not a URL.`, 'usage')
  const { createRemoteBackend } = await import('../../mcp/remote-backend.js')
  return { backend: createRemoteBackend(url.replace(/\/+$/, ''), apiKey), close: async () => undefined }
}
