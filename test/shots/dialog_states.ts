/** The dialogs, menus and forms of the chat page. They use the chats and files that the states before them made. */
import { byTestId, type Place, type ShotState } from './state';

const COMPOSER = byTestId('composer');

const chat = (name: string, reach: ShotState['reach'], more: Partial<ShotState> = {}): ShotState => ({
  name: `chat-${name}`,
  path: '/',
  ready: COMPOSER,
  reach,
  ...more,
});

const view = (name: string, of: string, reach: ShotState['reach']): ShotState => ({
  name: `view-${name}`,
  path: `/?view=${of}`,
  ready: 'main h1, main h2',
  reach,
});

/** Opens the newest chat whose title begins with one of these words. */
async function openChat({ page }: Place, title: RegExp): Promise<void> {
  await page.waitForSelector(byTestId('session-row'), { state: 'attached' });
  if (await page.isVisible(byTestId('open-sessions'))) await page.click(byTestId('open-sessions'));
  await page.locator(byTestId('session-row')).filter({ hasText: title }).first().click();
  await page.waitForSelector(byTestId('turn', '[data-state="completed"]'));
}

const GARDEN = /^(Compare three|为我的菜园)/;
const CHANGED = /^(Change the first|修改计划)/;

/** Opens the menu of the chat, and what one of its items opens. */
const fromMenu = (item: string, until: string, title?: RegExp) => async (place: Place) => {
  if (title) await openChat(place, title);
  await place.page.click(byTestId('chat-options'));
  await place.page.click(byTestId(`menu-${item}`));
  await place.page.waitForSelector(until);
};

export const DIALOG_STATES: readonly ShotState[] = [
  chat('menu', async place => {
    await openChat(place, GARDEN);
    await place.page.click(byTestId('chat-options'));
    await place.page.waitForSelector(byTestId('menu'));
  }),
  chat('instructions', fromMenu('instructions', byTestId('instructions-dialog'), GARDEN)),
  chat('share', fromMenu('share', byTestId('share-dialog'), GARDEN)),
  chat('import', fromMenu('import', byTestId('import-dialog'))),
  chat('temporary', fromMenu('temporary', byTestId('temporary-mark'))),
  chat('edit', async place => {
    await openChat(place, GARDEN);
    await place.page.click(byTestId('edit-sent'));
    await place.page.waitForSelector(byTestId('message-editor'));
  }),
  chat('changes', async place => {
    await openChat(place, CHANGED);
    await place.page.click(byTestId('open-changes'));
    await place.page.waitForSelector(byTestId('changes-drawer'));
  }),
  chat('mention', async ({ page }) => {
    await page.type(COMPOSER, '@gar');
    await page.waitForSelector(byTestId('mention-row'));
  }),
  chat('feedback', async place => {
    await openChat(place, GARDEN);
    const down = place.page.locator(byTestId('rate-down')).last();
    await down.click();
    // The picture before has rated the answer already, and the first click took that back.
    if ((await down.getAttribute('aria-pressed')) === 'false') await down.click();
    await place.page.waitForSelector(byTestId('reason'));
  }),
  chat(
    'connect',
    async ({ page }) => {
      await page.click(byTestId('connect-open'));
      await page.waitForSelector(byTestId('connect-card'));
    },
    { gateway: 'demo' },
  ),
  view('jobs-form', 'jobs', async ({ page }) => {
    await page.click(byTestId('add-job'));
    await page.waitForSelector(byTestId('job-form'));
  }),
  view('memory-form', 'memory', async ({ page }) => {
    await page.click(byTestId('add-memory'));
    await page.waitForSelector(byTestId('memory-form'));
  }),
  view('skill', 'skills', async ({ page }) => {
    await page.click(`${byTestId('open-skill')} >> nth=0`);
    await page.waitForSelector(byTestId('skill-page'));
  }),
  view('file', 'files&item=garden/harvest.csv', async ({ page }) => {
    await page.waitForSelector(byTestId('file-page'));
  }),
  view('settings-end', 'settings', async ({ page }) => {
    await page.locator('main section').last().scrollIntoViewIfNeeded();
  }),
];
