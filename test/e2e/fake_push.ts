/**
 * Runs in the page before its scripts. Chromium without a window has no push service and no notifications: those of the test take their place.
 * `unsubscribed` in the localStorage says how often the page has unsubscribed, `subscribedKey` for which key the browser is subscribed. `shownNotices` of the
 * window are the notifications on the screen.
 */
export function usePushService(subscription: object): void {
  const unsubscribe = async () => {
    localStorage.removeItem('subscribedKey');
    localStorage.setItem('unsubscribed', String(Number(localStorage.getItem('unsubscribed')) + 1));
    return true;
  };
  const bytesOf = (key: string) => Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), text => text.charCodeAt(0)).buffer;
  const subscribed = {
    ...subscription,
    get options() {
      return { applicationServerKey: bytesOf(localStorage.getItem('subscribedKey') ?? '') };
    },
    toJSON: () => subscription,
    unsubscribe,
  };
  const subscribe = async ({ applicationServerKey }: { applicationServerKey: string }) => {
    localStorage.setItem('subscribedKey', applicationServerKey);
    return subscribed;
  };
  Object.assign(PushManager.prototype, {
    subscribe,
    getSubscription: async () => (localStorage.getItem('subscribedKey') === null ? null : subscribed),
  });
  const getNotifications = async () => (globalThis as { shownNotices?: object[] }).shownNotices ?? [];
  Object.assign(ServiceWorkerRegistration.prototype, { getNotifications });
  const permission = localStorage.getItem('neta.push') ? 'granted' : 'default';
  const notification = {
    permission,
    async requestPermission() {
      notification.permission = 'granted';
      return 'granted';
    },
  };
  Object.assign(globalThis, { Notification: notification });
}
