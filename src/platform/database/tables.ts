/**
 * Kysely over declared entities: tables by their names, columns by the names of their properties, values as they were declared.
 * `defineEntity` is the only place that says what a table holds; row types, mapping and conversion follow from it.
 *
 * An expression of SQL (`sum(cost)`) comes as the driver has it, unless it is named like a property: then it is converted like one.
 */
import type { EntitySchemaWithMeta } from '@mikro-orm/core'
import { type InferKyselyDB, type InferKyselyTable, MikroKyselyPlugin } from '@mikro-orm/sql'
import type { Kysely, Selectable } from 'kysely'
import type { Database } from './database.js'

const NAMING = { columnNamingStrategy: 'property', convertValues: true } as const

/** One row of an entity's table as its values. */
export type Row<Entity extends EntitySchemaWithMeta> = Readonly<Selectable<InferKyselyTable<Entity, typeof NAMING>>>

type NullableOf<Entity extends EntitySchemaWithMeta> = {
  readonly [Name in keyof Row<Entity> as null extends Row<Entity>[Name] ? Name : never]: null
}

/** What a new row holds in its nullable columns before anything is known. */
export const nothingYet = <Entity extends EntitySchemaWithMeta>({ properties }: Entity): NullableOf<Entity> =>
  Object.fromEntries(
    Object.entries(properties as Record<string, { nullable?: boolean }>).flatMap(([name, { nullable }]) =>
      nullable ? [[name, null]] : [],
    ),
  ) as NullableOf<Entity>

/** The tables of these entities, as the type parameter of a kysely handle. */
export type TablesOf<Entities extends EntitySchemaWithMeta> = InferKyselyDB<Entities, typeof NAMING>

/** `database.kysely` for these entities; a transaction of it is one of the database. */
export const tablesOf = <Entities extends EntitySchemaWithMeta>({
  kysely,
  orm,
}: Pick<Database, 'kysely' | 'orm'>): Kysely<TablesOf<Entities>> =>
  kysely.withPlugin(new MikroKyselyPlugin(orm.em, NAMING)).withTables<TablesOf<Entities>>()
