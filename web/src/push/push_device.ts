/** Subscribes this browser to notifications of the gateway, by the push service of the browser. */
import { callRest } from '../api/call_rest';
import type { Me, Page } from '../api/rest_types';
import type { Locale } from '../platform/preferences';
import { nameHere } from '../platform/root';

/** `denied`: the person has forbidden notifications of this page in the browser. */
export type PushState = 'unsupported' | 'denied' | 'off' | 'on';

/** The gateway's row about this browser, and what it was told. Stored in the browser. */
interface Device extends Pick<Me, 'tenant' | 'keyName'> {
  id: string;
  endpoint: string;
  locale: Locale;
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
  const { publicKey } = await callRest<{ publicKey: string }>('GET', `${PATH}/key`);
  await announce(await subscribe(manager, publicKey), locale);
  return 'on';
}

/** Rejects with a RequestError when the gateway cannot be told. The browser shows nothing more in any case. */
export async function turnPushOff(): Promise<PushState> {
  const device = readDevice();
  if (!device) return 'off';
  writeDevice(undefined);
  await unsubscribe(await (await findManager())?.getSubscription());
  await callRest('DELETE', `${PATH}/${device.id}`);
  return 'off';
}

/** Turns push off when another person has turned it on in this browser. The push service then tells the gateway that the device is gone. Never rejects. */
export async function endPushOfOthers({ tenant, keyName }: Me): Promise<void> {
  const device = readDevice();
  if (!device || (device.tenant === tenant && device.keyName === keyName)) return;
  writeDevice(undefined);
  await unsubscribe(await (await findManager())?.getSubscription());
}

/** Tells the gateway what has changed: the browser has renewed its subscription, or the person reads another language. Never rejects. */
export async function keepPush(locale: Locale): Promise<void> {
  const manager = readDevice() && (await findManager());
  if (!manager) return;
  try {
    const found = await findDevice(manager);
    if (!found || (found.subscription.endpoint === found.device.endpoint && locale === found.device.locale)) return;
    await announce(found.subscription, locale);
  } catch {
    // The gateway is away, or wants a login: the next start of the page tries again.
  }
}

/** Returns true when the gateway notifies this browser, so that the page need not. */
export const isPushOn = (): boolean => readDevice() !== undefined;

/**
 * Resolves with the device of the person. Forgets a device that the browser or the gateway has ended, so that the page shows its notifications itself
 * again. Rejects with a RequestError.
 */
async function findDevice(manager: PushManager): Promise<{ device: Device; subscription: PushSubscription } | undefined> {
  const device = readDevice();
  if (!device) return undefined;
  const subscription = Notification.permission === 'granted' ? await manager.getSubscription() : null;
  const rows = subscription ? (await callRest<Page<{ id: string }>>('GET', PATH)).data : [];
  if (subscription && rows.some(({ id }) => id === device.id)) return { device, subscription };
  // Another tab may have subscribed anew by now.
  if (readDevice()?.id !== device.id) return undefined;
  writeDevice(undefined);
  await unsubscribe(subscription);
  return undefined;
}

const unsubscribe = async (subscription: PushSubscription | null | undefined): Promise<unknown> =>
  subscription?.unsubscribe().catch(() => false);

/** Subscribes anew when the browser knows the gateway by another key: its store is a new one. */
async function subscribe(manager: PushManager, applicationServerKey: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey };
  try {
    return await manager.subscribe(options);
  } catch (error) {
    const old = await manager.getSubscription();
    if (!old) throw error;
    await old.unsubscribe();
    return manager.subscribe(options);
  }
}

async function announce(subscription: PushSubscription, locale: Locale): Promise<void> {
  const { endpoint } = subscription;
  const { tenant, keyName } = await callRest<Me>('GET', '/me');
  const { id } = await callRest<{ id: string }>('POST', PATH, { ...subscription.toJSON(), locale });
  writeDevice({ id, endpoint, locale, tenant, keyName });
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
