/** Query parameters, read strictly: a repeated or malformed one is a 400 that names it. */
import type { Request } from 'express'
import { invalidRequest } from '#platform/errors.js'
import { parseUsd } from '#platform/money.js'

const parameters = (request: Request) => new URL(request.originalUrl, 'http://localhost').searchParams

/** The value, or undefined when the parameter is absent or empty. */
export function textParameter(request: Request, name: string): string | undefined {
  const values = parameters(request).getAll(name)
  if (values.length > 1) throw invalidRequest(`Give "${name}" once.`, name)
  const value = values[0]
  if (value !== undefined && value.length > 256) throw invalidRequest(`"${name}" is too long.`, name)
  return value === '' ? undefined : value
}

export interface IntegerRange {
  readonly min: number
  readonly max: number
}

export function integerParameter(request: Request, name: string, { min, max }: IntegerRange): number | undefined {
  const text = textParameter(request, name)
  if (text === undefined) return undefined
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max)) throw invalidRequest(`"${name}" is an integer from ${min} to ${max}.`, name)
  return value
}

/** A decimal amount as its text, checked. */
export function decimalParameter(request: Request, name: string): string | undefined {
  const text = textParameter(request, name)
  if (text !== undefined && parseUsd(text, name) < 0n) throw invalidRequest(`"${name}" must not be negative.`, name)
  return text
}

export function choiceParameter<T extends string>(request: Request, name: string, choices: readonly T[]): T | undefined {
  const text = textParameter(request, name)
  if (text === undefined || (choices as readonly string[]).includes(text)) return text as T | undefined
  throw invalidRequest(`"${name}" is one of ${choices.join(', ')}.`, name)
}
