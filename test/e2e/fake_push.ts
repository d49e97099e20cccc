/**
 * Runs in the page before its scripts. Chromium without a window has no push service and no notifications: those of the test take their place.
 * `unsubscribed` in the localStorage says how often the page has unsubscribed.
 */
export function usePushService(subscription: object): void {
  const unsubscribe = async () => {
    localStorage.setItem('unsubscribed', String(Number(localStorage.getItem('unsubscribed')) + 1));
    return true;
  };
  const subscribed = { ...subscription, toJSON: () => subscription, unsubscribe };
  Object.assign(PushManager.prototype, { subscribe: async () => subscribed, getSubscription: async () => subscribed });
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
