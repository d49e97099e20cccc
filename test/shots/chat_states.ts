/** The states of the chat page. */
import type { MockModel } from '../support/mock_model';
import type { Look } from './looks';
import { byTestId, type Place, type ShotState } from './state';
import { ANSWERS, MESSAGES, type MessageName, PLAN, PROMPTS, QUESTION, QUESTIONS } from './texts';

const COMPOSER = byTestId('composer');
const turn = (state: string): string => byTestId('turn', `[data-state="${state}"]`);

/** Teaches the model its answer to each message, in both languages. */
export function scriptModel(model: MockModel): void {
  for (const locale of ['en', 'zh-CN'] as const) {
    const say = MESSAGES[locale];
    const answer = ANSWERS[locale];
    const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] });
    model.onTurn(say.stream, { text: answer.long, chunkSize: 12, pauseAfter: 14, reasoning: answer.reasoning });
    model.onTurn(say.markdown, answer.markdown);
    const look = [
      { name: 'list_dir', arguments: { path: '.' } },
      { name: 'read_file', arguments: { path: 'garden/beds.md' } },
      { name: 'read_file', arguments: { path: 'no/such/file.md' } },
    ];
    model.onTurn(say.tools, { text: answer.before, toolCalls: look }, call('bash', { command: 'wc -l garden/*' }), answer.short);
    model.onTurn(say.plan, call('todo', { todos: PLAN[locale] }), answer.short);
    const asked = QUESTIONS[locale].map(question => ({ name: 'clarify', arguments: question }));
    model.onTurn(say.questions, { toolCalls: asked }, answer.short);
    model.onTurn(say.question, call('clarify', QUESTION[locale]), answer.short);
    model.onTurn(say.outside, call('fetch_page', { url: 'https://seeds.example.org/catalog/beans?year=2027' }), answer.short);
    model.onTurn(say.approval, call('bash', { command: 'rm -rf garden/old-beds' }), answer.short);
    const change = {
      path: 'garden/plan.js',
      old_string: "const first = 'beans';",
      new_string: "const first = 'peas';\nconst second = 'beans';",
    };
    const back = { path: change.path, old_string: change.new_string, new_string: change.old_string };
    model.onTurn(say.diff, call('patch', change), call('patch', back), answer.short);
    const beds = { path: 'garden/beds.md', content: '# Beds\n\n- Bed 1: beans\n- Bed 2: radishes\n- Bed 3: peas\n' };
    model.onTurn(say.writing, call('write_file', beds), answer.short);
    model.onTurn(say.error, { error: { status: 401, message: 'The key was refused.' } });
  }
}

const says = (name: MessageName, until: string) => async (place: Place) => {
  await say(place, name);
  await place.page.waitForSelector(until);
};

async function say({ page, look }: Place, name: MessageName): Promise<void> {
  await page.fill(COMPOSER, textOf(look, name));
  await page.press(COMPOSER, 'Enter');
}

const textOf = ({ locale }: Look, name: MessageName): string => MESSAGES[locale][name];

const chat = (name: string, reach?: ShotState['reach'], more: Partial<ShotState> = {}): ShotState => ({
  name: `chat-${name}`,
  path: '/',
  ready: COMPOSER,
  reach,
  ...more,
});

const view = (name: string): ShotState => ({ name: `view-${name}`, path: `/?view=${name}`, ready: 'main h1, main h2' });

/** Prompts of the library, which the first of these states stores. */
async function writePrompts({ page, look, url }: Place): Promise<void> {
  for (const prompt of PROMPTS[look.locale]) await page.request.post(`${url}/api/v1/prompts`, { data: prompt });
  await page.reload();
  await page.waitForSelector(byTestId('prompt'));
}

const DEMO = '/demo/widget';
const BUTTON = byTestId('neta-chat-button');

/** The chat in a page of another site, and alone as in its frame. */
export const EMBED_STATES: readonly ShotState[] = [
  { name: 'embed-demo', path: DEMO, ready: BUTTON },
  {
    name: 'embed-panel',
    path: DEMO,
    ready: BUTTON,
    async reach({ page, look }) {
      await page.click(BUTTON);
      const frame = page.frameLocator(byTestId('neta-chat-frame'));
      await frame.locator(COMPOSER).fill(textOf(look, 'question'));
      await frame.locator(COMPOSER).press('Enter');
      await frame.locator(byTestId('clarify-card', '[data-status="pending"]')).waitFor();
    },
  },
  { name: 'embed-alone', path: '/embed', ready: COMPOSER },
];

/** The first states make the chats, files and runs that later ones show. */
export const CHAT_STATES: readonly ShotState[] = [
  chat('demo', undefined, { gateway: 'demo' }),
  chat('empty'),
  chat('markdown', says('markdown', turn('completed'))),
  chat('streaming', says('stream', `${byTestId('answer')} p`)),
  chat('tool-cards', async place => {
    await says('tools', turn('completed'))(place);
    const { page } = place;
    const line = page.locator('.activity-head').first();
    await line.click();
  }),
  chat('plan', says('plan', turn('completed'))),
  chat('question', says('question', byTestId('clarify-card', '[data-status="pending"]'))),
  chat('questions', says('questions', `${byTestId('form-question')} >> nth=2`)),
  chat('approval', says('approval', byTestId('approval-card', '[data-status="pending"]'))),
  chat('approval-outside', says('outside', byTestId('approval-card', '[data-status="pending"]'))),
  chat('approval-writing', says('writing', byTestId('approval-card', '[data-status="pending"]'))),
  chat('diff', async place => {
    await says('diff', turn('completed'))(place);
    await place.page.click(`${byTestId('tool-card', '[data-tool="patch"]')} button >> nth=0`);
    await place.page.waitForSelector(byTestId('diff'));
  }),
  chat('error', says('error', turn('failed'))),
  chat(
    'offline',
    async place => {
      await place.page.waitForSelector(byTestId('session-row'), { state: 'attached' });
      await place.context.setOffline(true);
      await place.page.waitForSelector(byTestId('connection-banner'));
      await say(place, 'markdown');
      await place.page.waitForSelector(byTestId('unsent-note'));
    },
    { hasErrors: true },
  ),
  chat('list', async ({ page }) => {
    await page.waitForSelector(byTestId('session-row'), { state: 'attached' });
    if (await page.isVisible(byTestId('open-sessions'))) await page.click(byTestId('open-sessions'));
    await page.waitForSelector(byTestId('session-row'));
  }),
  chat('search', async ({ page, look }) => {
    await page.keyboard.press('Control+k');
    await page.fill(byTestId('search-field'), look.locale === 'en' ? 'garden' : '菜园');
    await page.waitForSelector(`${byTestId('search-results')} a, ${byTestId('search-results')} button`);
  }),
  chat('shortcuts', async ({ page }) => {
    await page.waitForSelector(byTestId('session-row'), { state: 'attached' });
    await page.locator(COMPOSER).blur();
    await page.keyboard.press('?');
    await page.waitForSelector(byTestId('shortcut-sheet'));
  }),
  ...['files', 'memory', 'skills', 'jobs', 'tools', 'settings'].map(view),
  { ...view('prompts'), reach: writePrompts },
];
