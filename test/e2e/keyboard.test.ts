/** Keyboard input on the chat page: focus, shortcuts and Escape. */
import { type ApprovalBench, startApprovalBench } from '../support/approval_bench';
import { approval, byTestId, type ChatBrowser, COMPOSER, question, startChatBrowser, turn } from './chat_browser';

let bench: ApprovalBench;
let browser: ChatBrowser;

beforeAll(async () => {
  [bench, browser] = await Promise.all([startApprovalBench(), startChatBrowser()]);
});

afterAll(async () => {
  await browser?.stop();
  await bench?.stop();
});

afterEach(() => browser?.closePages());

const DRAWER = byTestId('session-list');
const PHONE = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };
const open = (options = {}) => browser.open({ url: bench.gateway.url, ...options });

/** Presses Escape in the same task in which the page first shows the drawer: before any frame is painted. */
function pressEscapeWithTheDrawer(): void {
  const observer = new MutationObserver(() => {
    if (!document.querySelector('.drawer-shown')) return;
    observer.disconnect();
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
  });
  observer.observe(document.body, { subtree: true, attributes: true, attributeFilter: ['class'] });
}

describe('the drawer with the chats', () => {
  it('closes on an Escape in its first frame, and the run continues', async () => {
    bench.model.onTurn('answer slowly', { text: 'A long answer that goes on.', chunkSize: 4, pauseAfter: 2 });
    const { page, say } = await open(PHONE);
    await say('answer slowly');
    await page.waitForSelector(`${turn('running')} .markdown`);
    for (let i = 0; i < 5; i++) {
      await page.evaluate(pressEscapeWithTheDrawer);
      await page.tap(byTestId('open-sessions'));
      await page.waitForSelector(DRAWER, { state: 'hidden' });
    }
    expect(await page.isVisible(turn('running'))).toBe(true);
    bench.model.resume();
    await page.waitForSelector(turn('completed'));
  });

  it('is a modal dialog: the focus moves in, stays in and returns', async () => {
    const { page, focusReaches } = await open(PHONE);
    await page.tap(byTestId('open-sessions'));
    await page.waitForSelector(DRAWER, { state: 'visible' });
    expect(await page.getAttribute(DRAWER, 'role')).toBe('dialog');
    expect(await page.getAttribute(DRAWER, 'aria-modal')).toBe('true');
    await focusReaches('new-chat');
    for (const key of ['Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab']) {
      await page.keyboard.press(key);
      expect(await page.evaluate(selector => document.activeElement?.closest(selector) !== null, DRAWER)).toBe(true);
    }
    expect(await page.evaluate(() => document.querySelector('main')?.inert)).toBe(true);
    await page.keyboard.press('Escape');
    await page.waitForSelector(DRAWER, { state: 'hidden' });
    await focusReaches('open-sessions');
    expect(await page.evaluate(() => document.querySelector('main')?.inert)).toBe(false);
  });
});

describe('a question that comes while a person types', () => {
  it('keeps the focus and the text in the field, and typed keys do not answer it', async () => {
    const ask = { question: 'Which database?', choices: ['PostgreSQL 17', 'SQLite'] };
    bench.model.onTurn('decide', { toolCalls: [{ name: 'clarify', arguments: ask }] }, request => `Told: ${request.toolResults.at(-1)}`);
    const { page, say, focusReaches } = await open();
    await say('decide');
    await page.waitForSelector(question('pending'));
    await focusReaches('composer');
    await page.keyboard.type('Use sqlite please');
    expect(await page.inputValue(COMPOSER)).toBe('Use sqlite please');
    expect(await page.isVisible(question('pending'))).toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForSelector(turn('completed'));
    expect(await page.textContent(byTestId('clarify-answer'))).toBe('You answeredUse sqlite please');
  });

  it('takes the focus from outside a field, but no choice has it', async () => {
    const ask = { toolCalls: [{ name: 'clarify', arguments: { question: 'Now?', choices: ['Yes', 'No'] } }], pauseAfter: 0 };
    bench.model.onTurn('ask a reader', ask, 'Fine.');
    const { page, say, focusReaches } = await open();
    await say('ask a reader');
    await page.waitForSelector(turn('running'));
    await page.click(byTestId('user-message'));
    await focusReaches('BODY');
    bench.model.resume();
    await page.waitForSelector(question('pending'));
    await page.waitForFunction(() => document.activeElement?.matches('.clarify-card'));
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    expect(await page.isVisible(question('pending'))).toBe(true);
  });

  it('is answered with Alt and the number of a choice', async () => {
    const ask = { question: 'Which size?', choices: ['Small', 'Large'] };
    bench.model.onTurn('how large', { toolCalls: [{ name: 'clarify', arguments: ask }] }, 'Fine.');
    const { page, say, focusReaches } = await open();
    await say('how large');
    await page.waitForSelector(`${byTestId('clarify-choice')}[data-shortcut="2"]`);
    await page.keyboard.press('Alt+Digit2');
    await page.waitForSelector(turn('completed'));
    expect(await page.textContent(byTestId('clarify-answer'))).toBe('You answeredLarge');
    await focusReaches('composer');
  });

  it('keeps the focus in the field for an approval too, which Alt and a number decide', async () => {
    const { page, say, focusReaches } = await open();
    await say('tally typed');
    await page.waitForSelector(approval('pending'));
    await page.keyboard.type('and then tell me');
    await focusReaches('composer');
    expect(await page.inputValue(COMPOSER)).toBe('and then tell me');
    await page.waitForSelector(`${byTestId('approval-once')}[data-shortcut="1"]`);
    await page.keyboard.press('Alt+Digit1');
    await page.waitForSelector(turn('completed'));
    expect(await bench.tallyOf('typed')).toBe(1);
    expect(await page.inputValue(COMPOSER)).toBe('and then tell me');
  });
});

describe('Escape', () => {
  it('closes the form of an approval without stopping the run, and the form keeps its text', async () => {
    const { page, say, focusReaches } = await open();
    await say('tally edited');
    await page.waitForSelector(approval('pending'));
    for (const form of ['approval-edit', 'approval-deny']) {
      await page.click(byTestId(form));
      await page.fill(byTestId('approval-text'), 'echo half-written');
      await page.keyboard.press('Escape');
      await page.waitForSelector(byTestId('approval-text'), { state: 'detached' });
      await focusReaches('approval-card');
      await page.click(byTestId(form));
      expect(await page.inputValue(byTestId('approval-text'))).toBe('echo half-written');
      await page.keyboard.press('Escape');
    }
    expect(await page.isVisible(approval('pending'))).toBe(true);
    expect(await page.isVisible(turn('waiting'))).toBe(true);
  });

  it('does not stop the run in a select, and needs a second press beside an unsent answer', async () => {
    bench.model.onTurn('ask openly', { toolCalls: [{ name: 'clarify', arguments: { question: 'What shall it be?' } }] }, 'Fine.');
    const { page, say } = await open();
    await say('ask openly');
    await page.waitForSelector(question('pending'));
    await page.focus(byTestId('language'));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.fill(COMPOSER, 'a half-written answer');
    await page.keyboard.press('Escape');
    await page.waitForSelector(`${byTestId('composer-hint')}:has-text("Press Esc again")`);
    expect(await page.isVisible(turn('waiting'))).toBe(true);
    expect(await page.inputValue(COMPOSER)).toBe('a half-written answer');
    await page.keyboard.press('Escape');
    await page.waitForSelector(turn('cancelled'));
    expect(await page.inputValue(COMPOSER)).toBe('a half-written answer');
  });
});
