/** Features keep their rows in the store of the core: owners and migrations of their own. */
import { type Kysely, sql } from 'kysely';
import type { StorePart, StoreParts } from '../../../src/adapter/sql/store_part';
import { openSqliteStore } from '../../../src/adapter/sqlite/sqlite_store';
import { storePartsOf } from '../../../src/feature';
import { FEATURES } from '../../../src/features';
import { STORE_PARTS } from '../../support/store_parts';
import { withDirectory } from '../../support/temporary_store';

const addTable = (name: string) => ({
  up: (db: Kysely<unknown>) => sql`create table ${sql.table(name)} (id text primary key)`.execute(db).then(() => undefined),
});
const stars: StorePart = { owners: {}, migrations: { stars_001_create: addTable('stars') } };
const open = async (directory: string, parts: StoreParts) => {
  const store = await openSqliteStore({ path: `${directory}/neta.db`, parts: { ...STORE_PARTS, ...parts } });
  const { missingMigrations } = await store.read.gauges.read(0);
  await store.close();
  return missingMigrations;
};

it('gives the store what the features of the list add', () => expect(storePartsOf(FEATURES)).toEqual(STORE_PARTS));

it('applies the migrations of a feature to a new database and to one that had none of it', () =>
  withDirectory(async directory => {
    expect(await open(directory, { stars })).toBe(0);
    const more = { ...stars, migrations: { ...stars.migrations, stars_002_moons: addTable('moons') } };
    expect(await open(directory, { stars: more })).toBe(0);
    expect(await open(directory, { stars: more, comets: { owners: {}, migrations: { comets_001_create: addTable('comets') } } })).toBe(0);
  }));

it('opens a database of a feature that is left out or has added something since, but not one where it took something away', () =>
  withDirectory(async directory => {
    expect(await open(directory, { stars })).toBe(0);
    expect(await open(directory, {})).toBe(0);
    expect(await open(directory, { comets: { owners: {}, migrations: { comets_001_create: addTable('comets') } } })).toBe(0);
    expect(await open(directory, { stars: { owners: {} } })).toBe(0);
    const contracted = { ...stars, migrations: { ...stars.migrations, stars_002_moons_contract: addTable('moons') } };
    expect(await open(directory, { stars: contracted })).toBe(0);
    const older = open(directory, { stars });
    await expect(older).rejects.toThrow('written by a newer version of the gateway (it has stars_002_moons_contract');
  }));

it('refuses a migration whose name does not begin with its feature', () =>
  withDirectory(async directory => {
    const misnamed = open(directory, { stars: { owners: {}, migrations: { moons_001_create: addTable('moons') } } });
    await expect(misnamed).rejects.toThrow('moons_001_create must be named stars_<three digits>_<what it does>');
  }));

it('refuses a feature whose owner has the name of another', () =>
  withDirectory(async directory => {
    const webhooks = STORE_PARTS.webhooks.owners;
    await expect(open(directory, { stars: { owners: webhooks } })).rejects.toThrow('Two parts of the store have an owner "webhooks".');
  }));
