/** Where no GPU can be rented: why, and what an administrator does about it. */
import { Server } from 'lucide-react'
import { useQuery } from 'urql'
import { GpusDriversDocument } from '../../../generated/console-gpus.js'
import { maySee, useViewer } from '../../app/session/viewer.js'
import { CodeBlock } from '../../ui/code-block.js'
import { EmptyState } from '../../ui/notices/empty-state.js'

const EXAMPLE = `compute:
  drivers:
    - type: runpod
      api_key: \${RUNPOD_API_KEY}`

export function NoOffers() {
  const isAdmin = maySee(useViewer().key.scopes, 'ADMIN')
  const [{ data }] = useQuery({ query: GpusDriversDocument, pause: !isAdmin })
  const drivers = data?.gpuDrivers
  if (!isAdmin) {
    return (
      <EmptyState icon={Server} title="No GPU can be rented now">
        No provider has one free, or the administrator of this server has configured none.
      </EmptyState>
    )
  }
  if (!drivers) return null
  if (drivers.length > 0) {
    return (
      <EmptyState icon={Server} title="No GPU can be rented now">
        {drivers.map(({ id }) => id).join(', ')} offer none. The health of each is on the page Admin.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={Server} title="No way to GPUs is configured">
      <p>
        Name a driver in <code className="font-mono text-xs">sluice.config.yaml</code> and start the server again:
      </p>
      <div className="my-3 text-left">
        <CodeBlock code={EXAMPLE} what="the configuration" />
      </div>
      <p>
        Types are <code className="font-mono text-xs">dstack</code>, <code className="font-mono text-xs">vast</code>,{' '}
        <code className="font-mono text-xs">runpod</code>, <code className="font-mono text-xs">command</code> for machines of your
        own, and <code className="font-mono text-xs">sandbox</code> to try it without a cloud.
      </p>
    </EmptyState>
  )
}
