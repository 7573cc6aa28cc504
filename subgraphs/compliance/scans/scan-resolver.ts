/** Scans in the graph: authorise, parse, one call, return. */
import DataLoader from 'dataloader'
import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql'
import { requirePrincipal, requireScope, type RequestContext } from '#platform/requests/context.js'
import { invalidRequest } from '#platform/errors.js'
import { fromSources } from '#platform/subgraph.js'
import { parseScanFile } from '../engine/index.js'
import { AccountStub } from '../entity-stubs.js'
import type { ScannedFile } from './scan.js'
import type { ScanUpdate } from './scan-progress.js'
import {
  BatchScanInput,
  ScanCodeInput,
  ScanConnection,
  ScannedFileType,
  ScanProgressType,
  scanType,
  ScanType,
} from './scan-type.js'
import type { ScanPage } from './scan-store.js'
import type { ScanRequest, Scans } from './scans.js'

const DEFAULT_PAGE = 20
const MAX_PAGE = 100

@Resolver(() => ScanType)
export class ScanResolver {
  /** One read of the files of all scans that a request asks about. */
  readonly #loaders = new WeakMap<RequestContext, DataLoader<string, readonly ScannedFile[]>>()

  constructor(private readonly scans: Scans) {}

  @Mutation(() => ScanType, { description: 'Scans one file.' })
  async scanCode(
    @Arg('input', () => ScanCodeInput, { description: 'The file and how to scan it.' }) input: ScanCodeInput,
    @Ctx() context: RequestContext,
  ): Promise<ScanType> {
    const { accountId } = requireScope(context, 'scan')
    return scanType(await this.scans.scanCode(scanRequest([parseScanFile(input)], input, accountId, context)))
  }

  @Mutation(() => ScanType, {
    description: 'Scans many files as one request. A file that cannot be analyzed has an `error` and does not fail the others.',
  })
  async batchScan(
    @Arg('input', () => BatchScanInput, { description: 'The files and how to scan them.' }) input: BatchScanInput,
    @Ctx() context: RequestContext,
  ): Promise<ScanType> {
    const { accountId } = requireScope(context, 'scan')
    const files = input.files.map((file, at) => parseScanFile(file, `files[${at}].`))
    const request = scanRequest(files, input, accountId, context)
    return scanType(await (input.background ? this.scans.batchScanInBackground(request) : this.scans.batchScan(request)))
  }

  @Query(() => ScanType, { nullable: true, description: 'One of your scans; null for what does not exist.' })
  async scan(
    @Arg('id', () => ID, { description: 'The scan.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<ScanType | null> {
    const scan = await this.scans.find(id, requireScope(context, 'scan').accountId)
    return scan && scanType(scan)
  }

  @Query(() => ScanConnection, { name: 'scans', description: 'Your scans, newest first.' })
  async listScans(
    @Ctx() context: RequestContext,
    @Arg('first', () => Int, { nullable: true, description: 'Page size, 20 when left out, 100 at most.' }) first?: number | null,
    @Arg('after', () => String, { nullable: true, description: '`endCursor` of the page before.' }) after?: string | null,
  ): Promise<ScanConnection> {
    const { accountId } = requireScope(context, 'scan')
    return connection(await this.scans.list(accountId, pageSize(first), after ?? null))
  }

  @Subscription(() => ScanProgressType, {
    subscribe: fromSources,
    description: 'One of your scans: as it is now, then as it goes on, until it has ended.',
  })
  scanProgress(
    @Root() { scan, sequence }: ScanUpdate,
    @Arg('id', () => ID, { description: 'The scan.' }) _id: string,
    @Arg('after', () => Int, { nullable: true, description: 'The last `sequence` that was seen, to go on from there.' })
    _after: number | null,
  ): ScanProgressType {
    return { scan: scanType(scan), sequence }
  }

  @FieldResolver(() => [ScannedFileType], { description: 'What was found, in the order of the files; empty while it runs.' })
  async files(@Root() scan: ScanType, @Ctx() context: RequestContext): Promise<readonly ScannedFile[]> {
    return scan.fresh ?? (await this.#loader(context).load(scan.id))
  }

  #loader(context: RequestContext): DataLoader<string, readonly ScannedFile[]> {
    let loader = this.#loaders.get(context)
    if (loader === undefined) {
      // Not cached: a subscription keeps its context while the scan goes on.
      const load = async (ids: readonly string[]) => {
        const found = await this.scans.filesOf(ids)
        return ids.map((id) => found.get(id) ?? [])
      }
      this.#loaders.set(context, (loader = new DataLoader(load, { cache: false })))
    }
    return loader
  }
}

@Resolver(() => AccountStub)
export class AccountScansResolver {
  constructor(private readonly scans: Scans) {}

  @FieldResolver(() => ScanConnection, {
    name: 'scans',
    nullable: true,
    description: 'Its scans, newest first; null while scans cannot be asked for.',
  })
  async listScans(
    @Root() account: AccountStub,
    @Ctx() context: RequestContext,
    @Arg('first', () => Int, { nullable: true, description: 'Page size, 20 when left out, 100 at most.' }) first?: number | null,
    @Arg('after', () => String, { nullable: true, description: '`endCursor` of the page before.' }) after?: string | null,
  ): Promise<ScanConnection> {
    const principal = requirePrincipal(context)
    const isVisible = account.id === principal.accountId || principal.scopes.has('admin')
    if (!isVisible) return connection({ scans: [], hasNextPage: false })
    return connection(await this.scans.list(account.id, pageSize(first), after ?? null))
  }
}

interface HowToScan {
  readonly standards?: readonly string[] | null
  readonly keepSnippets?: boolean | null
}

const scanRequest = (
  files: ScanRequest['files'],
  { standards, keepSnippets }: HowToScan,
  accountId: string,
  { requestId, signal }: RequestContext,
): ScanRequest => ({ accountId, requestId, files, standards: standards ?? [], keepSnippets: keepSnippets === true, signal })

const connection = ({ scans, hasNextPage }: ScanPage): ScanConnection => ({
  nodes: scans.map(scanType),
  pageInfo: { hasNextPage, endCursor: scans.at(-1)?.id ?? null },
})

function pageSize(first: number | null | undefined): number {
  const size = first ?? DEFAULT_PAGE
  if (size < 1 || size > MAX_PAGE) throw invalidRequest(`"first" is from 1 to ${MAX_PAGE}.`, 'first')
  return size
}
