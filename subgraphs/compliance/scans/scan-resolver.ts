/** Scans in the graph: authorise, parse, one call, return. */
import DataLoader from 'dataloader'
import { Arg, Args, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql'
import { requirePrincipal, requireScope, sees, type RequestContext } from '#platform/requests/context.js'
import { pageArgs, type Connection } from '#platform/paging/connection.js'
import { emptyPage, mapPage, type PageRequest } from '#platform/paging/page.js'
import { fromSources } from '#platform/subgraph.js'
import { parseScanFile } from '../engine/index.js'
import { AccountStub } from '../entity-stubs.js'
import type { ScannedFile } from './scan.js'
import type { ScanUpdate } from './scan-progress.js'
import {
  BatchScanInput,
  BatchScanPayload,
  ScanCodeInput,
  ScanCodePayload,
  ScanConnection,
  ScannedFileType,
  ScanProgressType,
  scanType,
  ScanType,
} from './scan-type.js'
import type { ScanRequest, Scans } from './scans.js'

/** A scan may hold megabytes of violations. */
const ScansArgs = pageArgs({ standard: 20, most: 100 })

@Resolver(() => ScanType)
export class ScanResolver {
  /** One read of the files of all scans that a request asks about. */
  readonly #loaders = new WeakMap<RequestContext, DataLoader<string, readonly ScannedFile[]>>()

  constructor(private readonly scans: Scans) {}

  @Mutation(() => ScanCodePayload, { description: 'Scans one file.' })
  async scanCode(
    @Arg('input', () => ScanCodeInput, { description: 'The file and how to scan it.' }) input: ScanCodeInput,
    @Ctx() context: RequestContext,
  ): Promise<ScanCodePayload> {
    const { accountId } = requireScope(context, 'scan')
    const request = scanRequest([parseScanFile(input)], input, accountId, context)
    return { scan: scanType(await this.scans.scanCode(request)) }
  }

  @Mutation(() => BatchScanPayload, {
    description: 'Scans many files as one request. A file that cannot be analyzed has an `error` and does not fail the others.',
  })
  async batchScan(
    @Arg('input', () => BatchScanInput, { description: 'The files and how to scan them.' }) input: BatchScanInput,
    @Ctx() context: RequestContext,
  ): Promise<BatchScanPayload> {
    const { accountId } = requireScope(context, 'scan')
    const files = input.files.map((file, at) => parseScanFile(file, `files[${at}].`))
    const request = scanRequest(files, input, accountId, context)
    const scan = await (input.background ? this.scans.batchScanInBackground(request) : this.scans.batchScan(request))
    return { scan: scanType(scan) }
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
  listScans(
    @Args(() => ScansArgs) args: InstanceType<typeof ScansArgs>,
    @Ctx() context: RequestContext,
  ): Promise<Connection<ScanType>> {
    return scansOf(requireScope(context, 'scan').accountId, args.request(), this.scans)
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
  listScans(
    @Root() account: AccountStub,
    @Args(() => ScansArgs) args: InstanceType<typeof ScansArgs>,
    @Ctx() context: RequestContext,
  ): Promise<Connection<ScanType>> | Connection<ScanType> {
    const principal = requirePrincipal(context)
    const isVisible = sees(principal, account.id)
    if (!isVisible) return new ScanConnection(emptyPage, async () => 0)
    return scansOf(account.id, args.request(), this.scans)
  }
}

const scansOf = async (accountId: string, page: PageRequest, scans: Scans): Promise<Connection<ScanType>> =>
  new ScanConnection(mapPage(await scans.list(accountId, page), scanType), () => scans.count(accountId))

interface HowToScan {
  readonly standards?: readonly string[] | null
  readonly keepSnippets?: boolean | null
}

const scanRequest = (
  files: ScanRequest['files'],
  { standards, keepSnippets }: HowToScan,
  accountId: string,
  { requestId, signal, span }: RequestContext,
): ScanRequest => ({ accountId, requestId, files, standards: standards ?? [], keepSnippets: keepSnippets === true, signal, span })
