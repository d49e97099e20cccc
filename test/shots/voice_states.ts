/** The states of speaking and reading aloud. */
import { type FakeVoice, useFakeVoice } from '../e2e/fake_voice';
import { byTestId, type Place, type ShotState } from './state';
import { MESSAGES } from './texts';

const COMPOSER = byTestId('composer');
const LISTENING = byTestId('voice', '[data-phase="listening"]');

const chat = (name: string, reach: ShotState['reach'], more: Partial<ShotState> = {}): ShotState => ({
  name: `chat-${name}`,
  path: '/',
  ready: COMPOSER,
  reach,
  ...more,
});

/** Opens the page again, with a recogniser and voices of the test. */
async function withVoice({ page, context }: Place): Promise<void> {
  await context.addInitScript(useFakeVoice);
  await page.evaluate(() => localStorage.setItem('neta.speechWay', 'browser'));
  await page.reload();
  await page.waitForSelector(byTestId('voice', '[data-phase="idle"]'));
}

const withFake = ({ page }: Place, use: 'hear' | 'fail', text: string): Promise<void> =>
  page.evaluate(([name, value]) => (globalThis as unknown as { fakeVoice: FakeVoice }).fakeVoice[name](value), [use, text] as const);

/** They use the chats that the states before them made. */
export const VOICE_STATES: readonly ShotState[] = [
  chat('voice-listening', async place => {
    await withVoice(place);
    await place.page.click(byTestId('voice'));
    await place.page.waitForSelector(LISTENING);
    await withFake(place, 'hear', MESSAGES[place.look.locale].markdown);
  }),
  chat('voice-recording', async ({ page }) => {
    await page.click(byTestId('voice'));
    await page.waitForSelector(LISTENING);
  }),
  chat('voice-blocked', async place => {
    await withVoice(place);
    await place.page.click(byTestId('voice'));
    await withFake(place, 'fail', 'not-allowed');
    await place.page.waitForSelector(byTestId('voice-problem'));
  }),
  chat('voice-reading', async place => {
    await withVoice(place);
    const { page, look } = place;
    await page.fill(COMPOSER, MESSAGES[look.locale].markdown);
    await page.press(COMPOSER, 'Enter');
    await page.click(byTestId('read-aloud'));
    await page.waitForSelector(byTestId('stop-reading'));
  }),
];
