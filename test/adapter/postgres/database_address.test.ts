import { type DatabaseAddress, readDatabaseAddress } from '../../../src/adapter/postgres/database_address';
import { assertDatabaseUrl } from '../../../src/adapter/postgres/postgres_address';

const read = (address: string): DatabaseAddress => readDatabaseAddress(address, 'DATABASE_URL', 'read-write');

describe('the address of a database', () => {
  it.each<[string, Partial<DatabaseAddress>]>([
    ['postgres://db/neta', { hosts: [{ host: 'db', port: 5432 }], attributes: 'any', url: 'postgres://db/neta' }],
    [
      'postgresql://neta:s%40crets%2C@a,b:5433,[::1]:5434,[fe80::2]/neta?sslmode=disable',
      {
        hosts: [
          { host: 'a', port: 5432 },
          { host: 'b', port: 5433 },
          { host: '::1', port: 5434 },
          { host: 'fe80::2', port: 5432 },
        ],
        attributes: 'read-write',
        url: 'postgresql://neta:s%40crets%2C@a/neta?sslmode=disable',
      },
    ],
    [
      'postgres://a:5432,b/neta?sslmode=require&target_session_attrs=primary&options=-c%20work_mem%3D5MB',
      { attributes: 'primary', url: 'postgres://a:5432/neta?sslmode=require&options=-c%20work_mem%3D5MB' },
    ],
    ['postgres://a,b/neta?target_session_attrs=any', { attributes: 'any', url: 'postgres://a/neta' }],
    ['postgres://%2Frun%2Fpostgresql/neta', { hosts: [{ host: '/run/postgresql', port: 5432 }] }],
  ])('reads %s', (address, expected) => expect(read(address)).toMatchObject(expected));

  it.each([
    ['postgres://neta:secret?x@a/neta', 'DATABASE_URL: percent-encode special characters of the user and the password.'],
    ['postgres://neta:secret#@a/neta', 'DATABASE_URL: percent-encode special characters of the user and the password.'],
    ['postgres://a,,b/neta', 'DATABASE_URL: "" names no host; write host:port, and [address]:port for IPv6.'],
    ['postgres://a,b:none/neta', 'DATABASE_URL: the port of "b:none" is not a number from 1 to 65535.'],
    ['postgres://a:65536/neta', 'DATABASE_URL: the port of "a:65536" is not a number from 1 to 65535.'],
    ['postgres://a,::1:5432/neta', 'DATABASE_URL: "::1:5432" names no host; write host:port, and [address]:port for IPv6.'],
    ['postgres://a,[::g]/neta', 'DATABASE_URL: the host of "[::g]" is not a name or an address.'],
    ['postgres://a,b/neta?sslmode=verifyfull', 'DATABASE_URL: sslmode=verifyfull does not exist; it is one of disable,'],
    [
      'postgres://a,b/neta?target_session_attrs=master',
      'DATABASE_URL: target_session_attrs=master does not exist; it is one of any, read-write,',
    ],
    ['postgres://a,b/neta?target_session_attrs=standby', 'DATABASE_URL: target_session_attrs=standby leads to a server without writes'],
  ])('refuses %s', (address, message) => expect(() => assertDatabaseUrl(address)).toThrow(message));
});
