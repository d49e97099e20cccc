/**
 * Detects possible exfiltration: after untrusted text was read, a page can make the model read a private file and fetch an address that carries
 * its content. Traits of a tool say what it reads and whether it reaches outside.
 */
import { domainToUnicode } from 'node:url';
import type { TaintSource } from '../../port/run_event';
import type { AgentTool } from '../../tools/common';
import { memoriesIn } from './memory_leak';

/** The sources that the model has read, and the hosts that are allowed nevertheless. */
export interface Taint {
  sources: readonly TaintSource[];
  /** Texts of the memory block, set when no private source was read: arguments that hold one of these texts count as private. */
  memories: readonly string[];
  /** Texts of the person. Sending such a text gives nothing away. */
  personTexts: readonly string[];
  /** Returns true when a person or the operator named the host. */
  isNamed(url: URL): boolean;
}

type OutgoingTraits = Pick<AgentTool, 'reaches' | 'effect' | 'asksPerson'>;

/**
 * Returns true when the call sends its arguments outside. A tool with the effect `external` does so even when its author did not set `reaches`; a
 * question does when it goes to somebody else than the people of the chat.
 */
export const reachesOutside = ({ reaches, effect, asksPerson }: OutgoingTraits, args: unknown): boolean =>
  reaches === 'outside' || (effect === 'external' && (!asksPerson || addresseeOf(args) !== undefined));

/** Returns to whom a question goes beside the people of the chat. */
export function addresseeOf(args: unknown): string | undefined {
  const { to } = (args ?? {}) as { to?: unknown };
  return typeof to === 'string' ? to : undefined;
}

/** Returns the sources whose content the call could send outside; undefined when no approval is needed. */
export function taintOf(
  { tool, args }: { tool: OutgoingTraits; args: unknown },
  taint: Taint | undefined,
): readonly TaintSource[] | undefined {
  if (!reachesOutside(tool, args) || !taint) return undefined;
  const kinds = new Set(taint.sources.map(({ kind }) => kind));
  if (!kinds.has('untrusted')) return undefined;
  // The chat itself is private to its people.
  if (tool.asksPerson) return taint.sources;
  const urls = urlsIn(args);
  // A call without an address sends its arguments to a service that no person named, so it needs approval.
  if (urls.length > 0 && urls.every(url => taint.isNamed(url))) return undefined;
  if (kinds.has('private')) return taint.sources;
  const held = memoriesIn(args, taint.memories, taint.personTexts);
  return held.length > 0 ? [...held, ...taint.sources] : undefined;
}

/** Returns the distinct hosts in the arguments. */
export const hostsIn = (args: unknown): string[] => [...new Set(urlsIn(args).map(({ host }) => host))];

/** Arguments are validated, so they are neither deep nor circular. */
function urlsIn(value: unknown): URL[] {
  if (typeof value === 'string') return URL.canParse(value) ? [new URL(value)].filter(({ hostname }) => hostname !== '') : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(urlsIn) : [];
}

/** Returns true when a text names the host, alone or in an address. `example.com` and `www.example.com` are one host; other subdomains are not. */
export function namesHost(text: string, hostname: string): boolean {
  const bare = hostname.replace(/^www\./, '');
  const spellings = new Set([bare, domainToUnicode(bare)].filter(name => name !== ''));
  const lower = text.toLowerCase();
  return [...spellings].some(name => hasWhole(lower, name) || hasWhole(lower, `www.${name}`));
}

function hasWhole(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text.slice(at + name.length, at + name.length + 2);
    if (!/[a-z0-9.@_-]/.test(before) && !/^([a-z0-9_-]|\.[a-z0-9])/.test(after)) return true;
  }
  return false;
}

/** Returns true when the URL's host matches `entry`: a host, or `*.` and a host for all of its subdomains. */
export function fitsHost(entry: string, { hostname }: URL): boolean {
  const name = entry.toLowerCase();
  return name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : hostname === name;
}
