/**
 * A simulated GPU cloud in memory, on a virtual clock. It keeps its own log of what truly ran, which is the oracle for what
 * may be billed, and misbehaves on request in the ways that real clouds were seen to.
 */
import type { Clock } from '#platform/clock.js'
import {
  DriverError,
  parseLabel,
  type DriverCaps,
  type GpuDriver,
  type InstanceSpec,
  type ObservedInstance,
} from '../../../subgraphs/compute/drivers/driver.js'
import type { Offer } from '../../../subgraphs/compute/offers/offer.js'

export type CreateFault =
  | 'capacity'
  | 'price_moved'
  | 'invalid'
  | 'auth'
  | 'rate_limited'
  /** No answer, but the instance exists. */
  | 'doubt_created'
  /** No answer, and the instance appears only just before the create timeout. */
  | 'doubt_late'
  | 'doubt_nothing'
  /** An error that carries the id of something that exists. */
  | 'failed_with_id'
/** `stale`: answered from a copy that does not know the instance yet, never twice in a row to the same question. */
export type CallFault = 'error' | 'rate_limited' | 'stale'
/** `lies`: says gone, does nothing. `refuses`: answers pending, does nothing. */
export type DestroyFault = 'error' | 'lies' | 'refuses' | 'acts_then_errors'

export interface FakeInstance {
  readonly id: string
  readonly label: string
  readonly key: string
  readonly url: string
  readonly createdAt: number
  /** When `get` and `list` begin to show it. */
  readonly visibleAt: number
  readonly bootedAt: number
  readonly servingAt: number
  /** Stopped by the provider. */
  endedAt: number | null
  /** Destroyed: exists no more. */
  goneAt: number | null
  /** Ended by the provider, not by us. */
  wasInterrupted: boolean
}

export interface FakeCloudOptions {
  readonly id?: string
  readonly clock: Clock
  readonly offers: readonly Offer[]
  readonly bootMs?: number
  readonly loadMs?: number
  readonly caps?: Partial<DriverCaps>
}

export class FakeCloud implements GpuDriver {
  readonly id: string
  readonly caps: DriverCaps
  readonly instances: FakeInstance[] = []
  readonly calls: Record<'create' | 'get' | 'list' | 'destroy', number> = { create: 0, get: 0, list: 0, destroy: 0 }
  offers: readonly Offer[]
  /** Each call takes the next fault of its queue. */
  readonly faults = {
    create: [] as CreateFault[],
    get: [] as CallFault[],
    list: [] as CallFault[],
    destroy: [] as DestroyFault[],
  }
  bootMs: number
  loadMs: number
  /** Endpoints that do not answer although the instance runs. */
  readonly deafUrls = new Set<string>()
  readonly #clock: Clock
  readonly #staleQuestions = new Set<string>()
  #serial = 0

  constructor(options: FakeCloudOptions) {
    this.id = options.id ?? 'fake'
    this.#clock = options.clock
    this.offers = options.offers
    this.bootMs = options.bootMs ?? 40_000
    this.loadMs = options.loadMs ?? 60_000
    this.caps = {
      spot: true,
      bid: false,
      image: true,
      ssh: true,
      createKey: 'label',
      createTimeoutMs: 20_000,
      listLagMs: 10_000,
      provisionTimeoutMs: 600_000,
      pollMs: 5_000,
      billsBoot: true,
      ...options.caps,
    }
  }

  async listOffers(): Promise<readonly Offer[]> {
    return this.offers.map((offer) => ({ ...offer, fetchedAt: this.#clock.now() }))
  }

  async create(spec: InstanceSpec): Promise<{ instanceId: string }> {
    this.calls.create++
    const fault = this.faults.create.shift()
    switch (fault) {
      case 'capacity':
      case 'price_moved':
      case 'invalid':
      case 'auth':
        throw new DriverError({ kind: fault }, fault)
      case 'rate_limited':
        throw new DriverError({ kind: 'rate_limited', retryAfterMs: 7_000 }, fault)
      case 'doubt_nothing':
        throw new DriverError({ kind: 'in_doubt' }, fault)
      case 'doubt_created':
        this.#launch(spec, 0)
        throw new DriverError({ kind: 'in_doubt' }, fault)
      case 'doubt_late':
        this.#launch(spec, this.caps.createTimeoutMs + this.caps.listLagMs - 1)
        throw new DriverError({ kind: 'in_doubt' }, fault)
      case 'failed_with_id':
        throw new DriverError({ kind: 'failed', createdId: this.#launch(spec, this.caps.listLagMs / 2).id }, fault)
      case undefined:
        return { instanceId: this.#launch(spec, this.caps.listLagMs / 2).id }
    }
  }

  #launch(spec: InstanceSpec, visibleAfterMs: number): FakeInstance {
    const now = this.#clock.now()
    const id = `i-${this.id}-${++this.#serial}`
    const instance: FakeInstance = {
      id,
      label: spec.label,
      key: spec.endpointKey,
      // Two addresses in all: a new instance gets the address of one that is gone.
      url: `http://10.0.0.${this.#serial % 2}/v1`,
      createdAt: now,
      visibleAt: now + visibleAfterMs,
      bootedAt: now + visibleAfterMs + this.bootMs,
      servingAt: now + visibleAfterMs + this.bootMs + this.loadMs,
      endedAt: null,
      goneAt: null,
      wasInterrupted: false,
    }
    this.instances.push(instance)
    return instance
  }

  #observe(instance: FakeInstance): ObservedInstance {
    const booted = this.#clock.now() >= instance.bootedAt
    const status = instance.endedAt !== null ? 'ended' : booted ? 'running' : 'provisioning'
    const url = booted ? instance.url : null
    return {
      instanceId: instance.id,
      label: instance.label,
      status,
      endpointUrl: url,
      sshHost: booted ? '10.0.0.9' : null,
      sshPort: booted ? 22 : null,
    }
  }

  #isVisible = (instance: FakeInstance): boolean => instance.goneAt === null && instance.visibleAt <= this.#clock.now()

  async get(instanceId: string): Promise<ObservedInstance | null> {
    this.calls.get++
    const fault = this.faults.get.shift()
    this.#mayFail(fault)
    if (this.#isStale(`get ${instanceId}`, fault)) return null
    const instance = this.instances.find(({ id }) => id === instanceId)
    return instance && this.#isVisible(instance) ? this.#observe(instance) : null
  }

  async list(prefix: string): Promise<readonly ObservedInstance[]> {
    this.calls.list++
    const fault = this.faults.list.shift()
    this.#mayFail(fault)
    if (this.#isStale(`list ${prefix}`, fault)) return []
    return this.instances
      .filter((instance) => this.#isVisible(instance) && instance.label.startsWith(prefix))
      .map((i) => this.#observe(i))
  }

  #isStale(question: string, fault: CallFault | undefined): boolean {
    const wasStale = this.#staleQuestions.delete(question)
    if (fault !== 'stale' || wasStale) return false
    this.#staleQuestions.add(question)
    return true
  }

  #mayFail(fault: CallFault | undefined): void {
    if (fault === 'error') throw new Error('socket hang up')
    if (fault === 'rate_limited') throw new DriverError({ kind: 'rate_limited', retryAfterMs: 3_000 }, 'slow down')
  }

  async destroy(instanceId: string): Promise<'gone' | 'pending'> {
    this.calls.destroy++
    const fault = this.faults.destroy.shift()
    if (fault === 'error') throw new Error('bad gateway')
    if (fault === 'lies') return 'gone'
    if (fault === 'refuses') return 'pending'
    const instance = this.instances.find(({ id }) => id === instanceId)
    if (instance && instance.goneAt === null) {
      instance.goneAt = this.#clock.now()
      instance.endedAt ??= instance.goneAt
    }
    if (fault === 'acts_then_errors') throw new Error('gateway timeout')
    return 'gone'
  }

  /** Takes away a running or booting instance, as a spot market does; it may vanish or stay visible as ended. */
  interrupt(instance: FakeInstance, vanishes: boolean): void {
    instance.wasInterrupted ||= instance.endedAt === null
    instance.endedAt ??= this.#clock.now()
    if (vanishes) instance.goneAt ??= this.#clock.now()
  }

  existing(): readonly FakeInstance[] {
    return this.instances.filter(({ goneAt }) => goneAt === null)
  }

  /** Milliseconds that instances of this session truly served, by our own log. */
  servedMs(sessionKey: string): number {
    return this.instances
      .filter(({ label }) => parseLabel(label)?.sessionKey === sessionKey)
      .reduce((sum, instance) => sum + Math.max(0, (instance.endedAt ?? this.#clock.now()) - instance.bootedAt), 0)
  }

  wasInterrupted(sessionKey: string): boolean {
    return this.instances.some(({ label, wasInterrupted }) => wasInterrupted && parseLabel(label)?.sessionKey === sessionKey)
  }

  /** Milliseconds for a session that serves a model: from when the model was loaded. */
  servedModelMs(sessionKey: string): number {
    return this.instances
      .filter(({ label }) => parseLabel(label)?.sessionKey === sessionKey)
      .reduce((sum, instance) => sum + Math.max(0, (instance.endedAt ?? this.#clock.now()) - instance.servingAt), 0)
  }

  /** The probe of the reconciler: whoever has the address now answers, but only to its own key. */
  readonly probe = async ({ url, key }: { url: string; key: string }): Promise<boolean> => {
    const now = this.#clock.now()
    const there = this.instances.filter((i) => i.url === url && i.endedAt === null && i.servingAt <= now)
    return !this.deafUrls.has(url) && there.some((instance) => instance.key === key)
  }
}
