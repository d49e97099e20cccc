/** The place of the operator pages, from the address: /ops/<screen>/<item>?<filters>#<seq>. */
import { ROOT } from '../../platform/root';

export interface Place {
  /** Name of the screen; '' for the overview. */
  screen: string;
  /** The thing that the screen shows, such as a run. */
  item?: string;
  /** Filters of the list. */
  query: Readonly<Record<string, string>>;
  /** Number of an event; '' without an event. */
  hash: string;
}

const BASE = `${ROOT}ops`;

export function readPlace(): Place {
  const [, screen = '', ...rest] = location.pathname.slice(BASE.length).split('/');
  const item = rest.filter(Boolean).map(decodeName).join('/');
  const query = Object.fromEntries(new URLSearchParams(location.search));
  return { screen: decodeName(screen), item: item || undefined, query, hash: location.hash.slice(1) };
}

interface PlaceParts {
  item?: string;
  /** An empty value leaves the filter out. */
  query?: Readonly<Record<string, string | undefined>>;
  hash?: string;
}

/** Returns the address of a screen. */
export function opsHref(screen: string, { item, query = {}, hash }: PlaceParts = {}): string {
  const path = [BASE, screen, item === undefined ? '' : encodeURIComponent(item)].filter(Boolean).join('/');
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const search = given.length > 0 ? `?${new URLSearchParams(given)}` : '';
  return `${path}${search}${hash ? `#${hash}` : ''}`;
}

/** Returns the address of a run, at one of its events if given. */
export const runHref = (runId: string, seq?: number): string =>
  opsHref('runs', { item: runId, hash: seq === undefined ? undefined : String(seq) });

/** The place of a run, for links. */
export const runPlace = ({ runId }: { runId: string }) => ({ screen: 'runs', item: runId });

/** Decodes a name; a name that is not valid percent encoding stays as it is. */
function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
