/** Short news at the edge of the screen. What shows them is loaded behind the first page, which has none. */
import { lazy, Suspense } from 'react'

const load = () => import('./toast-region.js')
const Region = lazy(async () => ({ default: (await load()).ToastRegion }))

export const toast = (title: string): void => void load().then(({ addToast }) => addToast(title))

export const Toasts = () => (
  <Suspense>
    <Region />
  </Suspense>
)
