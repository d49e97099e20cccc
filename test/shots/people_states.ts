/** What several people see of each other, of one chat and of their accounts. */
import type { PersonName } from './people_studio';
import { byTestId, type Place, type ShotState } from './state';

const COMPOSER = byTestId('composer');

interface PeopleState {
  /** Absent: no one is logged in. */
  as?: PersonName;
  path?: string;
  ready?: string;
}

/** `reach` opens the path itself when the address has a link in it. */
const people = (name: string, { as, path = '/', ready = COMPOSER }: PeopleState, reach?: ShotState['reach']): ShotState => ({
  name: `people-${name}`,
  gateway: 'people',
  as,
  path,
  ready,
  reach,
  // A page without a login, and one of a guest, asks for what it does not get.
  hasErrors: as === undefined || undefined,
});

/** Opens the chat of several people, in which Ben types. */
async function openChat({ page, people: { sessionId, letBenType }, url }: Place): Promise<void> {
  await page.goto(`${url}/?session=${sessionId}`);
  await page.waitForSelector(byTestId('turn', '[data-state="completed"]'));
  await letBenType();
}

const dialog = async (place: Place) => {
  await openChat(place);
  await place.page.click(byTestId('open-people'));
  await place.page.waitForSelector(byTestId('people-dialog'));
};

export const PEOPLE_STATES: readonly ShotState[] = [
  people('chat', { as: 'anna' }, async place => {
    await openChat(place);
    await place.page.waitForSelector(`${byTestId('typing-line')}:has-text("Ben")`);
  }),
  people('dialog', { as: 'anna' }, dialog),
  people('dialog-driver', { as: 'ben' }, dialog),
  people('dialog-approver', { as: 'carol' }, dialog),
  people('approver', { as: 'carol' }, async place => {
    await openChat(place);
    await place.page.waitForSelector(byTestId('cannot-write'));
  }),
  people('asked', { as: 'dora', ready: byTestId('asked-question') }),
  people('share', { as: 'anna' }, async place => {
    await openChat(place);
    await place.page.click(byTestId('chat-options'));
    await place.page.click(byTestId('menu-share'));
    await place.page.selectOption(byTestId('share-role'), 'guest');
    await place.page.waitForSelector(byTestId('share-row'));
  }),
  people('guest', { ready: byTestId('login-card') }, async ({ page, people: { guestLink } }) => {
    await page.goto(guestLink);
    await page.waitForSelector(byTestId('turn', '[data-state="completed"]'));
  }),
  people('login', { ready: byTestId('login-card') }),
  people('invitation', { ready: byTestId('login-card') }, async ({ page, people: { invitation } }) => {
    await page.goto('about:blank');
    await page.goto(invitation);
    await page.waitForSelector(byTestId('accept-invitation'));
  }),
  people('logins', { as: 'anna', path: '/?view=settings', ready: byTestId('own-logins') }, async ({ page }) => {
    await page.waitForSelector(byTestId('sign-in'));
    await page.locator(byTestId('own-logins')).scrollIntoViewIfNeeded();
  }),
  people('jobs', { as: 'anna', path: '/?view=jobs', ready: byTestId('job') }, async ({ page }) => {
    await page.locator(byTestId('sharing', '[data-visibility="shared"]')).locator(byTestId('open-sharing')).click();
    await page.waitForSelector(byTestId('sharing-member'));
  }),
  people('memory', { as: 'anna', path: '/?view=memory', ready: byTestId('memory') }, async ({ page }) => {
    await page.click(byTestId('open-sharing'));
    await page.waitForSelector(byTestId('sharing-panel'));
  }),
  people('memory-of-others', { as: 'ben', path: '/?view=memory', ready: byTestId('belongs-to') }),
  people('accounts', { as: 'anna', path: '/ops/accounts', ready: byTestId('screen-accounts') }, async ({ page }) => {
    await page.click(byTestId('new-invitation'));
    await page.fill(byTestId('invite-email'), 'emil@example.com');
  }),
  people('account', { as: 'anna', path: '/ops/accounts', ready: byTestId('screen-accounts') }, async ({ page }) => {
    await page.click(`${byTestId('open-account')}:has-text("Ben")`);
    await page.click(byTestId('password-link'));
    await page.waitForSelector(byTestId('link-panel'));
  }),
  people('ops-jobs', { as: 'anna', path: '/ops/jobs', ready: byTestId('job') }, async ({ page }) => {
    await page.locator(byTestId('open-sharing')).first().click();
    await page.waitForSelector(byTestId('sharing-panel'));
  }),
];
