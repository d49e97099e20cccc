/** Subscribes this browser to notifications of the gateway, by the push service of the browser. */
import { callRest } from '../api/call_rest';
import type { Me, Page } from '../api/rest_types';
import type { Locale } from '../platform/preferences';
import { nameHere } from '../platform/root';
import { closeAllNotifications } from './close_notifications';

/** `denied`: the person has forbidden notifications of this page in the browser. */
export type PushState = 'unsupported' | 'denied' | 'off' | 'on';

/** The gateway's row about this browser, and what it was told. Stored in the browser. */
interface Device extends Pick<Me, 'tenant' | 'keyName'> {
  id: string;
  endpoint: string;
  locale: Locale;
}

/** The gateway's row about a device of the person. Times are ISO-8601 UTC. */
export interface PushDevice {
  id: string;
  /** The push service of its browser. */
  host: string;
  /** Browser and system; absent when the gateway does not know the browser. */
  name?: string;
  /** False: notifications say only that something waits. */
  preview: boolean;
  createdAt: string;
  /** Time of the last notification. */
  lastUsedAt?: string;
}

const PATH = '/push-subscriptions';
const STORED = nameHere('neta.push');
/** Milliseconds after which a page without a service worker counts as one that gets none. */
const WORKER_LIMIT_MS = 5000;

/** Asks the browser and the gateway. Rejects with a RequestError. */
export async function readPushState(): Promise<PushState> {
  const manager = await findManager();
  if (!manager) return 'unsupported';
  if (Notification.permission === 'denied') {
    writeDevice(undefined);
    return 'denied';
  }
  return (await findDevice(manager)) ? 'on' : 'off';
}

/** Call it when the person has asked for it: the browser may ask for permission. Rejects with a RequestError, or as PushManager.subscribe does. */
export async function turnPushOn(locale: Locale): Promise<PushState> {
  const manager = await findManager();
  if (!manager) return 'unsupported';
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'off';
  await announce(await subscribe(manager, await readKey()), { locale });
  return 'on';
}

/** Lists the devices of the person, oldest first. `isHere`: this browser. Rejects with a RequestError. */
export async function listDevices(): Promise<(PushDevice & { isHere: boolean })[]> {
  const here = readDevice()?.id;
  return (await readRows()).map(row => ({ ...row, isHere: row.id === here }));
}

/** Chooses how much the notifications on this device say. Rejects with a RequestError. */
export async function setPreview(preview: boolean, locale: Locale): Promise<void> {
  const subscription = await (await findManager())?.getSubscription();
  if (subscription) await announce(subscription, { locale, preview });
}

/** Ends the notifications on another device. Rejects with a RequestError. */
export async function removeDevice(id: string): Promise<void> {
  await callRest('DELETE', `${PATH}/${id}`);
}

/** Rejects with a RequestError when the gateway cannot be told. The browser shows nothing more in any case. */
export async function turnPushOff(): Promise<PushState> {
  const device = readDevice();
  if (!device) return 'off';
  await endHere();
  await removeDevice(device.id);
  return 'off';
}

/** Turns push off when another person has turned it on in this browser. The push service then tells the gateway that the device is gone. Never rejects. */
export async function endPushOfOthers(person: Me): Promise<void> {
  if (!readDevice() || isPushOf(person)) return;
  await endHere();
}

/** The browser shows nothing more, and closes what it shows. */
async function endHere(): Promise<void> {
  writeDevice(undefined);
  await closeAllNotifications();
  await unsubscribe(await (await findManager())?.getSubscription());
}

/**
 * Tells the gateway what has changed: the browser has renewed its subscription, or the person reads another language. Subscribes anew when the gateway has
 * another key pair, because its store is a new one. Never rejects.
 */
export async function keepPush(locale: Locale): Promise<void> {
  const manager = readDevice() && (await findManager());
  if (!manager) return;
  try {
    const found = await findDevice(manager);
    if (!found) return;
    const { device, row } = found;
    const subscription = await subscribe(manager, await readKey());
    if (subscription.endpoint === device.endpoint && locale === device.locale) return;
    await announce(subscription, { locale, preview: row.preview });
  } catch {
    // The gateway is away, or wants a login: the next start of the page tries again.
  }
}

/** Returns true when the gateway notifies this browser, so that the page need not. */
export const isPushOn = (): boolean => readDevice() !== undefined;

/** Returns true when the gateway notifies this browser of what concerns this person. */
export function isPushOf({ tenant, keyName }: Me): boolean {
  const device = readDevice();
  return device !== undefined && device.tenant === tenant && device.keyName === keyName;
}

/**
 * Resolves with the device of the person. Forgets a device that the browser or the gateway has ended, so that the page shows its notifications itself
 * again. Rejects with a RequestError.
 */
async function findDevice(manager: PushManager): Promise<{ device: Device; row: PushDevice } | undefined> {
  const device = readDevice();
  if (!device) return undefined;
  const subscription = Notification.permission === 'granted' ? await manager.getSubscription() : null;
  const row = subscription ? (await readRows()).find(({ id }) => id === device.id) : undefined;
  if (row) return { device, row };
  // Another tab may have subscribed anew by now.
  if (readDevice()?.id !== device.id) return undefined;
  writeDevice(undefined);
  await unsubscribe(subscription);
  return undefined;
}

const unsubscribe = async (subscription: PushSubscription | null | undefined): Promise<unknown> =>
  subscription?.unsubscribe().catch(() => false);

/** Returns the present subscription, unless the browser made it for another key: then a new one. */
async function subscribe(manager: PushManager, publicKey: string): Promise<PushSubscription> {
  const old = await manager.getSubscription();
  if (old && isFor(old, publicKey)) return old;
  await unsubscribe(old);
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
}

/** `publicKey`: in base64url. */
function isFor({ options }: PushSubscription, publicKey: string): boolean {
  const bytes = options.applicationServerKey ?? new ArrayBuffer(0);
  const known = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return known.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') === publicKey;
}

const readKey = async (): Promise<string> => (await callRest<{ publicKey: string }>('GET', `${PATH}/key`)).publicKey;

const readRows = async (): Promise<readonly PushDevice[]> => (await callRest<Page<PushDevice>>('GET', PATH)).data;

/** Without `preview` the gateway keeps what the device had. */
async function announce(subscription: PushSubscription, choice: { locale: Locale; preview?: boolean }): Promise<void> {
  const { endpoint } = subscription;
  const before = readDevice();
  const { tenant, keyName } = await callRest<Me>('GET', '/me');
  const { id } = await callRest<{ id: string }>('POST', PATH, { ...subscription.toJSON(), ...choice });
  writeDevice({ id, endpoint, locale: choice.locale, tenant, keyName });
  // The same browser under its former address.
  if (before && before.id !== id) await removeDevice(before.id).catch(() => undefined);
}

/** Undefined in a browser without push, on a page without HTTPS, and where no service worker runs. */
async function findManager(): Promise<PushManager | undefined> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!workers || typeof PushManager === 'undefined' || typeof Notification === 'undefined') return undefined;
  const limit = new Promise<undefined>(resolve => setTimeout(() => resolve(undefined), WORKER_LIMIT_MS));
  return (await Promise.race([workers.ready, limit]))?.pushManager;
}

function readDevice(): Device | undefined {
  try {
    return (JSON.parse(localStorage.getItem(STORED) ?? 'null') as Device | null) ?? undefined;
  } catch {
    return undefined;
  }
}

function writeDevice(device: Device | undefined): void {
  try {
    if (device) localStorage.setItem(STORED, JSON.stringify(device));
    else localStorage.removeItem(STORED);
  } catch {
    // A browser without storage forgets the switch; the gateway keeps the device.
  }
}
