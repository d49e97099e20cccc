/** Counts of wrong passwords, and device cookies, as time goes on. */
import { randomUUID } from 'node:crypto';
import { createSealer } from '../../../src/adapter/local/disk/sealer';
import { DeviceCookies, isDeviceOf } from '../../../src/feature/people/login/device_cookies';
import { PasswordCheck } from '../../../src/feature/people/password/password_check';
import { PasswordLimits } from '../../../src/feature/people/password/password_limits';
import { createManualClock } from '../../support/manual_clock';
import { aPerson } from '../../support/store_records';

const EMAIL = 'anna@example.com';
const HOUR_MS = 3_600_000;

it('ASVS 2.2.1: keeps the count of an account while guesses for thousands of invented addresses come, for an hour', () => {
  const clock = createManualClock();
  const limits = new PasswordLimits({ clock });
  for (let i = 0; i < 50; i += 1) limits.add({ email: EMAIL, address: `10.1.${i}.1` });
  for (let i = 0; i < 20_000; i += 1) limits.add({ email: `invented-${i}@example.com`, address: `10.${i % 250}.7.1` });
  const stranger = () => limits.assertAllowed({ email: EMAIL, address: '192.0.2.1' });
  expect(stranger).toThrow('Too many wrong passwords came for this account');
  clock.advance(HOUR_MS);
  expect(stranger).not.toThrow();
});

it('ASVS 2.2.1: counts the wrong passwords of an IPv6 /48 together, so that one host with many /64 keeps no other network out', () => {
  const limits = new PasswordLimits({ clock: createManualClock() });
  const from = (site: number, subnet: number) => ({ email: EMAIL, address: `2001:db8:${site}:${subnet}::1` });
  for (let subnet = 0; subnet < 10; subnet += 1) limits.add(from(1, subnet));
  expect(() => limits.assertAllowed(from(1, 10))).toThrow('Too many wrong passwords came for this account');
  expect(() => limits.assertAllowed(from(2, 10))).not.toThrow();
});

it('ASVS 2.2.1: lets at most 10 comparisons of an IPv6 /64 wait, whatever the addresses in it', async () => {
  const passwords = new PasswordCheck({
    clock: createManualClock(),
    devices: { open: () => undefined },
    auditLog: { recordFailedLogin: () => {} },
  });
  const guesses = Array.from({ length: 15 }, (_, i) => ({
    email: `invented-${i}@example.com`,
    password: 'wrong',
    address: `2001:db8::${i + 1}`,
  }));
  const results = await Promise.allSettled(guesses.map(guess => passwords.check(guess, async () => undefined)));
  expect(results.map(({ status }) => status)).toEqual([...Array(14).fill('fulfilled'), 'rejected']);
});

it('knows no browser while the key of the gateway cannot be read, and logs that once', () => {
  const told: string[] = [];
  const sealer = createSealer({ file: __dirname });
  const cookies = new DeviceCookies({
    clock: createManualClock(),
    sealer,
    ids: { uuid: randomUUID },
    onError: message => told.push(message),
  });
  expect([cookies.create(aPerson({ email: EMAIL, passwordHash: 'hash' })), cookies.open('a-cookie', EMAIL)]).toEqual([
    undefined,
    undefined,
  ]);
  expect(told).toEqual([expect.stringContaining('The key for device cookies cannot be read')]);
});

it('opens a device cookie for its address alone, until the password changes, for a year', () => {
  const clock = createManualClock();
  const sealer = createSealer({ secret: 'k'.repeat(32), file: '' });
  const cookies = new DeviceCookies({ clock, sealer, ids: { uuid: randomUUID }, onError: () => {} });
  const person = aPerson({ email: EMAIL, passwordHash: 'hash' });
  const cookie = cookies.create(person);
  const device = cookies.open(cookie, EMAIL);
  expect(device && [isDeviceOf(device, person), isDeviceOf(device, { passwordHash: 'another' })]).toEqual([true, false]);
  expect([cookies.open(cookie, 'ben@example.com'), cookies.open('forged', EMAIL), cookies.open(undefined, EMAIL)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(cookies.create({ email: EMAIL, passwordHash: '' })).toBeUndefined();
  clock.advance(365 * 24 * HOUR_MS);
  expect(cookies.open(cookie, EMAIL)).toBeUndefined();
});
