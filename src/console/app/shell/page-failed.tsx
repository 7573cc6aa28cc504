/** In the place of a page that broke. */
import type { ErrorComponentProps } from '@tanstack/react-router'
import { Button } from '../../ui/forms/button.js'
import { FaultNotice } from '../../ui/notices/fault-notice.js'

export const PageFailed = ({ error, reset }: ErrorComponentProps) => (
  <div className="mx-auto grid max-w-lg gap-4 p-6">
    <h1 className="text-lg font-semibold">This page broke</h1>
    <FaultNotice fault={{ message: error instanceof Error ? error.message : String(error), code: null, requestId: null }} />
    <div className="flex gap-2">
      <Button variant="primary" onClick={reset}>
        Try again
      </Button>
      {/* After an update of the server the files of this page may be gone. */}
      <Button onClick={() => location.reload()}>Load the console anew</Button>
    </div>
  </div>
)
