/**
 * Decides the one time zone of the gateway, for prompts, jobs and log lines. The environment may name a zone that Node cannot name, or names
 * differently than the C library; Intl then has no name, or one that is hours off.
 */
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { samplesOfOffset, samplesOfRule, type ZoneSample } from './zone_rule';

export interface TimeZoneDecision {
  /** A name that Intl knows, such as Asia/Shanghai. */
  timeZone: string;
  /** One sentence for the operator: the zone could not be read as a name. */
  warning?: string;
}

export interface ZoneFacts {
  /** The environment variable; absent when it is not set. */
  TZ?: string | undefined;
  now: number;
  /** The zone of this process by Intl; Node may have none. */
  intlZone?: string | undefined;
  /** Minutes east of UTC by Date. */
  offsetAt: (time: number) => number;
  /** The directory that holds /etc and /usr. */
  root: string;
}

const LOCALTIME = '/etc/localtime';
const ADVICE = 'Set TZ to a name such as Asia/Shanghai.';

/** The facts of this process. */
export const zoneFacts = (TZ: string | undefined): ZoneFacts => ({
  TZ,
  now: Date.now(),
  intlZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  offsetAt: time => -new Date(time).getTimezoneOffset(),
  root: '/',
});

/** Decides the zone. TZ counts when it is set, as for every program; otherwise /etc/localtime, then /etc/timezone. */
export function decideTimeZone(facts: ZoneFacts): TimeZoneDecision {
  const { TZ, now } = facts;
  if (TZ === undefined) return zoneOfMachine(facts);
  const name = TZ.trim().replace(/^["']?:?(.*?)["']?$/, '$1');
  if (name === '') return { timeZone: 'UTC', warning: `TZ is empty, so the gateway uses UTC. ${ADVICE} Unset it to use ${LOCALTIME}.` };
  if (name === 'localtime') return zoneOfFile(LOCALTIME, facts) ?? unknownZone(TZ);
  const known = knownZone(name.replace(/^(?:.*\/zoneinfo\/)?(?:(?:posix|right)\/)?/, ''));
  if (known !== undefined && (name.includes('/') || agreesWithDate(known, facts))) return { timeZone: known };
  if (name.startsWith('/')) return zoneOfFile(name, facts) ?? unknownZone(TZ);
  const samples = samplesOfIsoOffset(name, now) ?? samplesOfRule(name, now);
  const fitting = samples && fittingZone(samples, name);
  if (!fitting) return unknownZone(TZ);
  return { timeZone: fitting, warning: `TZ=${TZ} is no name of a time zone; as a rule it means ${describe(fitting, now)}. ${ADVICE}` };
}

const unknownZone = (TZ: string): TimeZoneDecision => ({
  timeZone: 'UTC',
  warning: `TZ=${TZ.slice(0, 100)} is no time zone that the gateway knows, so it uses UTC. ${ADVICE}`,
});

/** Without /etc/localtime the C library uses UTC; /etc/timezone may still name the intended zone. */
function zoneOfMachine(facts: ZoneFacts): TimeZoneDecision {
  const fromFile = zoneOfFile(LOCALTIME, facts);
  if (fromFile) return fromFile;
  const written = knownZone(writtenZone(facts));
  if (written !== undefined) return { timeZone: written };
  const ofIntl = knownZone(facts.intlZone);
  if (ofIntl !== undefined && agreesWithDate(ofIntl, facts)) return { timeZone: ofIntl };
  return { timeZone: 'UTC', warning: `${LOCALTIME} and /etc/timezone name no time zone, so the gateway uses UTC. ${ADVICE}` };
}

/**
 * Names the zone of a file of zoneinfo. A container often gets the file of its host in place of its own: then the name to which /etc/localtime
 * leads is still the old one, so the rule in the file decides which name is right.
 */
function zoneOfFile(path: string, facts: ZoneFacts): TimeZoneDecision | undefined {
  const linked = knownZone(linkedName(path, facts));
  const bytes = readBytes(join(facts.root, path));
  const rule = bytes && ruleOf(bytes);
  const samples = rule === undefined ? undefined : samplesOfRule(rule, facts.now);
  if (!bytes || !samples) return linked === undefined ? undefined : { timeZone: linked };
  const names = [linked, knownZone(writtenZone(facts)), knownZone(facts.intlZone)];
  const named = names.find(zone => zone !== undefined && fits(zone, samples)) ?? zoneWithBytes(bytes, linked, facts);
  if (named !== undefined) return { timeZone: named };
  const fitting = fittingZone(samples, rule ?? '');
  if (fitting === undefined) return linked === undefined ? undefined : { timeZone: linked };
  return { timeZone: fitting, warning: `${path} has no name; its rule ${rule} means ${describe(fitting, facts.now)}. ${ADVICE}` };
}

function linkedName(path: string, { root }: ZoneFacts): string | undefined {
  const target = join(root, path);
  const links = [attempt(() => readlinkSync(target)), attempt(() => realpathSync(target))];
  return links.map(link => /\/zoneinfo\/(?:(?:posix|right)\/)?(.+)$/.exec(link ?? '')?.[1]).find(name => name !== undefined);
}

/** The first line of /etc/timezone. */
const writtenZone = ({ root }: ZoneFacts): string | undefined =>
  attempt(() => readFileSync(join(root, '/etc/timezone'), 'utf8'))
    ?.split('\n')[0]
    ?.trim();

/** A file of zoneinfo begins with TZif and ends with a line that holds the rule of the present time. */
function ruleOf(bytes: Buffer): string | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'TZif') return undefined;
  return /\n([^\n]+)\n$/.exec(bytes.toString('latin1', Math.max(0, bytes.length - 200)))?.[1];
}

/** The zone whose file has the same bytes. `except`: the name whose file may be covered by these bytes. */
function zoneWithBytes(bytes: Buffer, except: string | undefined, { root }: ZoneFacts): string | undefined {
  return Intl.supportedValuesOf('timeZone').find(
    zone => zone !== except && readBytes(join(root, '/usr/share/zoneinfo', zone))?.equals(bytes) === true,
  );
}

/** Finds a zone with these offsets: a fixed one, the zone of the short names in the rule, or the first zone that fits. */
function fittingZone(samples: readonly ZoneSample[], rule: string): string | undefined {
  const offsets = new Set(samples.map(([, offset]) => offset));
  const [offset] = offsets;
  if (offsets.size === 1 && offset !== undefined) return fixedZone(offset);
  const shorts = [/^[A-Z]+[+-]?\d+[A-Z]+/, /^[A-Z]+/].map(pattern => pattern.exec(rule)?.[0]);
  const names = shorts.map(knownZone).filter(name => name !== undefined);
  const usual = Intl.supportedValuesOf('timeZone').filter(name => !/^A(?:nta)?rctic/.test(name));
  return [...names, ...usual].find(zone => fits(zone, samples));
}

/** `+08:00`, `+0800` and `+08` are no rules; they are meant as ISO 8601 has them. */
function samplesOfIsoOffset(text: string, now: number): ZoneSample[] | undefined {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(text) ?? [];
  return sign === undefined ? undefined : samplesOfOffset((sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)), now);
}

/** Names of the form Etc/GMT-8 have the sign reversed: Etc/GMT-8 lies EAST of UTC. */
function fixedZone(offset: number): string | undefined {
  const hours = offset / 60;
  if (offset === 0) return 'UTC';
  if (Number.isInteger(hours) && hours >= -12 && hours <= 14) return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
  return knownZone(offsetText(offset));
}

const offsetText = (offset: number): string =>
  `${offset < 0 ? '-' : '+'}${[Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60].map(part => String(part).padStart(2, '0')).join(':')}`;

const describe = (zone: string, now: number): string => `${zone} (UTC${offsetText(offsetIn(zone, now))} now)`;

const fits = (zone: string, samples: readonly ZoneSample[]): boolean => samples.every(([time, offset]) => offsetIn(zone, time) === offset);

/** Intl knows short names such as CST and BST, which mean other zones elsewhere, and which the C library does not know. */
const agreesWithDate = (zone: string, { now, offsetAt }: ZoneFacts): boolean =>
  fits(
    zone,
    samplesOfOffset(0, now).map(([time]) => [time, offsetAt(time)]),
  );

/** Minutes east of UTC. */
function offsetIn(zone: string, time: number): number {
  const text = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).format(time);
  const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d{2}):(\d{2})/.exec(text) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** The name as Intl writes it; undefined for an unknown one. */
const knownZone = (name: string | undefined): string | undefined =>
  name ? attempt(() => new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone) : undefined;

const readBytes = (path: string): Buffer | undefined => attempt(() => readFileSync(path));

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
