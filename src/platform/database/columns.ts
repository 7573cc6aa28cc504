/**
 * The columns whose stored form is not their value, each with its one transform: amounts, times, flags, words and JSON. An entity
 * that is declared with them has these values on every path, through the ORM and through `tablesOf`.
 *
 * A transform also takes what it has made: MikroORM's kysely plugin converts a column twice whose property has another name.
 */
import { BigIntType, type EntityProperty, type EntitySchemaWithMeta, p, type Platform, Type } from '@mikro-orm/core'
import type { NanoUsd } from '../money.js'

/** An amount in nano-USD: an exact int64. */
export const money = () => p.bigint('bigint').$type<NanoUsd>()

/** Milliseconds, of the epoch or of a duration: an int64. A fraction is rounded. */
export const time = () => p.type(TimeType).$type<number>()

/** Yes or no as 1 or 0, because that is an integer in both dialects. */
export const flag = () => p.type(FlagType).$type<boolean>()

/** Words as one text, separated by commas. */
export const words = <Word extends string>() => p.type(WordsType).$type<readonly Word[]>()

/** An object or a list as JSON text. */
export const json = <Value extends object>() => p.type(JsonTextType).$type<Value>()

/** Which properties of an entity are amounts: JSON and other texts carry them as decimal digits. */
export const amountsOf = ({ properties }: EntitySchemaWithMeta): ReadonlySet<string> =>
  new Set(
    Object.entries(properties as Record<string, { type: unknown }>).flatMap(([name, { type }]) =>
      type instanceof BigIntType ? [name] : [],
    ),
  )

/** A number in JavaScript, text on its way to an int64 column, and what the driver makes of such a column on its way back. */
class TimeType extends Type<number, string | number | bigint> {
  override convertToDatabaseValue(value: number): string {
    return String(Math.round(value))
  }

  override convertToJSValue(value: string | number | bigint): number {
    return Number(value)
  }

  override getColumnType(): string {
    return 'bigint'
  }

  override compareAsType(): string {
    return 'number'
  }
}

class FlagType extends Type<boolean, number | boolean> {
  override convertToDatabaseValue(value: boolean): number {
    return value ? 1 : 0
  }

  override convertToJSValue(value: number | boolean): boolean {
    return Boolean(value)
  }

  override getColumnType(): string {
    return 'integer'
  }

  override compareAsType(): string {
    return 'boolean'
  }
}

class WordsType extends Type<readonly string[], string | readonly string[]> {
  override convertToDatabaseValue(value: string | readonly string[]): string {
    return typeof value === 'string' ? value : value.join(',')
  }

  override convertToJSValue(value: string | readonly string[]): readonly string[] {
    return typeof value === 'string' ? value.split(',') : value
  }

  override getColumnType(property: EntityProperty, platform: Platform): string {
    return platform.getVarcharTypeDeclarationSQL(property)
  }

  override compareAsType(): string {
    return 'string'
  }
}

class JsonTextType extends Type<object, string | object> {
  override convertToDatabaseValue(value: object): string {
    return JSON.stringify(value)
  }

  override convertToJSValue(value: string | object): object {
    return typeof value === 'string' ? (JSON.parse(value) as object) : value
  }

  override getColumnType(): string {
    return 'text'
  }

  override compareAsType(): string {
    return 'string'
  }
}
