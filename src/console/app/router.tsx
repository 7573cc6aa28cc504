/** Every page has an address, and what is chosen on it is in that address: typed here, page by page. */
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { Scope } from '../../generated/console.js'
import { readGpusSearch } from '../gpus/gpus-search.js'
import { readAdminSearch } from '../admin/admin-search.js'
import { readKeysSearch } from '../keys/keys-search.js'
import { readPlaySearch } from '../play/play-search.js'
import { readModelsSearch } from '../models/models-search.js'
import { readUsageSearch } from '../usage/usage-search.js'
import { readWebhooksSearch } from '../webhooks/webhooks-search.js'
import { PAGES } from '../pages.js'
import { readScanSearch } from '../scan/scan-search.js'
import { PageFailed } from './shell/page-failed.js'
import { PageMissing } from './shell/page-missing.js'
import { readPricesSearch } from '../prices/prices-search.js'
import { Shell } from './shell/shell.js'
import { maySee } from './session/viewer.js'

interface RouterContext {
  readonly scopes: readonly Scope[]
}

/** What a page does not know of its address is gone: by itself the router keeps whatever a reader passes over. */
const strictly =
  <Search extends object>(read: (search: Record<string, unknown>) => Search) =>
  (search: Record<string, unknown>): Search => ({
    ...Object.fromEntries(Object.keys(search).map((name) => [name, undefined])),
    ...read(search),
  })

const root = createRootRouteWithContext<RouterContext>()({
  component: Shell,
  errorComponent: PageFailed,
  notFoundComponent: PageMissing,
})

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad({ context }) {
    const first = PAGES.find(({ scope }) => maySee(context.scopes, scope))
    throw redirect({ to: first?.path ?? '/models', replace: true })
  },
})

const play = createRoute({
  getParentRoute: () => root,
  path: '/play',
  validateSearch: strictly(readPlaySearch),
  component: lazyRouteComponent(() => import('../play/play-page.js'), 'PlayPage'),
})

const models = createRoute({
  getParentRoute: () => root,
  path: '/models',
  validateSearch: strictly(readModelsSearch),
  component: lazyRouteComponent(() => import('../models/models-page.js'), 'ModelsPage'),
})

const model = createRoute({
  getParentRoute: () => root,
  path: '/models/$id',
  component: lazyRouteComponent(() => import('../models/model-page.js'), 'ModelPage'),
})

const prices = createRoute({
  getParentRoute: () => root,
  path: '/prices',
  validateSearch: strictly(readPricesSearch),
  component: lazyRouteComponent(() => import('../prices/prices-page.js'), 'PricesPage'),
})

const gpus = createRoute({
  getParentRoute: () => root,
  path: '/gpus',
  validateSearch: strictly(readGpusSearch),
  component: lazyRouteComponent(() => import('../gpus/gpus-page.js'), 'GpusPage'),
})

const scan = createRoute({
  getParentRoute: () => root,
  path: '/scan',
  validateSearch: strictly(readScanSearch),
  component: lazyRouteComponent(() => import('../scan/scan-page.js'), 'ScanPage'),
})

const usage = createRoute({
  getParentRoute: () => root,
  path: '/usage',
  validateSearch: strictly(readUsageSearch),
  component: lazyRouteComponent(() => import('../usage/usage-page.js'), 'UsagePage'),
})

const keys = createRoute({
  getParentRoute: () => root,
  path: '/keys',
  validateSearch: strictly(readKeysSearch),
  component: lazyRouteComponent(() => import('../keys/keys-page.js'), 'KeysPage'),
})

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  validateSearch: strictly(readWebhooksSearch),
  component: lazyRouteComponent(() => import('../webhooks/webhooks-page.js'), 'WebhooksPage'),
})

const admin = createRoute({
  getParentRoute: () => root,
  path: '/admin',
  validateSearch: strictly(readAdminSearch),
  component: lazyRouteComponent(() => import('../admin/admin-page.js'), 'AdminPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([home, play, models, model, prices, gpus, scan, usage, keys, webhooks, admin]),
  context: { scopes: [] },
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailed,
  scrollRestoration: false,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
