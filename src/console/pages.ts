/** The pages of the console. Data only: the router, the navigation, the keyboard and the server, by way of the build, read it. */

export interface Page {
  readonly path: string
  readonly title: string
  /** `g` and then this opens it. */
  readonly key: string
  /** What a key must hold to see it; every key when left out. */
  readonly scope?: 'CHAT' | 'GPU' | 'SCAN' | 'ADMIN'
}

const ALL = [
  { path: '/play', title: 'Playground', key: 'p', scope: 'CHAT' },
  { path: '/models', title: 'Models', key: 'm' },
  { path: '/prices', title: 'Prices', key: 'r' },
  { path: '/gpus', title: 'GPUs', key: 'g', scope: 'GPU' },
  { path: '/scan', title: 'Scan', key: 's', scope: 'SCAN' },
  { path: '/usage', title: 'Usage', key: 'u' },
  { path: '/keys', title: 'Keys', key: 'k' },
  { path: '/webhooks', title: 'Webhooks', key: 'w', scope: 'ADMIN' },
  { path: '/admin', title: 'Admin', key: 'a', scope: 'ADMIN' },
] as const satisfies readonly Page[]

export type PagePath = (typeof ALL)[number]['path']

export const PAGES: readonly (Page & { readonly path: PagePath })[] = ALL
