/** What the page of the GPUs works out by itself: filters, requests, the cost until now, and steps from events. */
import { describe, expect, it } from 'vitest'
import { readGpusSearch } from '../../src/console/gpus/gpus-search.js'
import { fits } from '../../src/console/gpus/offers/offers.js'
import { faultsOf, formFor, rentInput } from '../../src/console/gpus/renting/rent-form.js'
import { costAt } from '../../src/console/gpus/rentals/rental-cost.js'
import { withEvent, type Step } from '../../src/console/gpus/rentals/steps.js'

const offer = {
  gpuModel: 'L4',
  gpuCount: 1,
  vramGb: 24,
  providerId: 'gp05',
  region: 'eu-1',
  pricePerGpuHour: '0.7200',
  spot: true,
  interruptionProbability: 0.15,
  interruptionOrigin: 'PRIOR',
  fetchedAt: '2026-11-21T12:00:00.000Z',
} as const

describe('the filters of offers', () => {
  it.each([
    [{}, true],
    [{ gpu: 'L4', kind: 'spot', vram: 24, price: '0.72', region: 'eu-1', provider: 'gp05' }, true],
    [{ gpu: 'L4', kind: 'demand' }, false],
    [{ gpu: 'H100', kind: 'spot' }, false],
    [{ vram: 25 }, false],
    [{ price: '0.719999999' }, false],
    [{ price: 'cheap' }, true],
  ] as const)('%j let an L4 through: %s', (filters, isThrough) => {
    expect(fits(offer, filters)).toBe(isThrough)
  })

  it('are read from the address, without what does not fit', () => {
    const search = { view: 'cars', gpu: 'L4', kind: 'free', vram: '24', price: 0.5, desc: 'true', rental: 7 }
    expect(readGpusSearch(search)).toEqual({ gpu: 'L4', price: '0.5' })
  })
})

describe('the form', () => {
  it('asks for what was filled in only', () => {
    const form = { ...formFor({ ...offer, key: '' }), region: '', dockerImage: ' busybox ', label: '  ' }
    expect(rentInput(form)).toEqual({ gpuModel: 'L4', providerId: 'gp05', dockerImage: 'busybox', spot: true })
    expect(rentInput({ ...form, spot: 'any' })).not.toHaveProperty('spot')
  })

  it('shows what is wrong beside the field that is named, and everything else apart', () => {
    const fault = { message: 'No.', code: null, requestId: null }
    const ofField = faultsOf({ ...fault, param: 'sshKey' }, formFor(null))
    expect([ofField.at('sshKey'), ofField.at('label'), ofField.other]).toEqual(['No.', null, null])
    const ofNone = faultsOf({ ...fault, param: 'Idempotency-Key' }, formFor(null))
    expect([ofNone.at('sshKey'), ofNone.other?.message]).toEqual([null, 'No.'])
  })
})

describe('the cost until now', () => {
  const startedAt = '2026-11-21T12:00:00.000Z'
  const at = (seconds: number) => Date.parse(startedAt) + seconds * 1000
  const rental = { status: 'RUNNING', startedAt, terminatedAt: null, pricePerHour: '0.29', cost: '0.001' } as const

  it('grows with each whole second, exactly, from what the server has billed', () => {
    expect(costAt(rental, at(3_600))).toBe('0.29')
    expect(costAt(rental, at(100.9))).toBe('0.008055555')
    expect(costAt(rental, at(1))).toBe('0.001')
    expect(costAt(rental, at(-60))).toBe('0.001')
  })

  it('is what was billed once it has ended', () => {
    expect(costAt({ ...rental, status: 'TERMINATED', cost: '0.2' }, at(3_600))).toBe('0.2')
  })
})

describe('the steps of a rental', () => {
  const event = (sequence: number, phase: 'REQUESTED' | 'BOOTING' | 'RUNNING' | 'STOPPING', isEnded = false) => ({
    sequence,
    changedAt: `2026-11-21T12:00:0${sequence}.000Z`,
    status: isEnded ? ('TERMINATED' as const) : phase === 'RUNNING' ? ('RUNNING' as const) : ('PROVISIONING' as const),
    phase,
    terminationReason: isEnded ? ('USER' as const) : null,
    providerId: 'gp05',
    region: 'eu-1',
  })
  const stepsOf = (...events: readonly ReturnType<typeof event>[]) => events.reduce<readonly Step[]>(withEvent, [])

  it('end once for their owner, however long the machine is being removed', () => {
    const steps = stepsOf(event(1, 'REQUESTED'), event(2, 'BOOTING'), event(3, 'RUNNING', true), event(4, 'STOPPING', true))
    expect(steps.map(({ name, reason }) => [name, reason])).toEqual([
      ['REQUESTED', null],
      ['BOOTING', null],
      ['ENDED', 'USER'],
    ])
  })

  it('are told once, also when the connection broke and all events came again', () => {
    const events = [event(1, 'REQUESTED'), event(2, 'BOOTING')]
    expect(stepsOf(...events, ...events, event(3, 'RUNNING')).map(({ sequence }) => sequence)).toEqual([1, 2, 3])
  })
})
