/** Questions of the agent on the chat page: the answer field, finding an open question, deadlines and drafts. */
import { type AgentBench, startBench } from '../support/agent_bench';
import { type ApprovalBench, startApprovalBench } from '../support/approval_bench';
import { approval, byTestId, type ChatBrowser, COMPOSER, question, startChatBrowser, turn } from './chat_browser';
import { findBarriers } from './ops_browser';

let bench: AgentBench;
let browser: ChatBrowser;

beforeAll(async () => {
  [bench, browser] = await Promise.all([startBench(), startChatBrowser()]);
});

afterAll(async () => {
  await browser?.stop();
  await bench?.stop();
});

afterEach(() => browser?.closePages());

const open = (url = bench.gateway.url) => browser.open({ url });
const PURPOSE = byTestId('composer-purpose');

/** The model asks a question for this message, and then repeats the answer. */
function scriptQuestion(message: string, ask: { question: string; choices?: string[] }): void {
  bench.model.onTurn(message, { toolCalls: [{ name: 'clarify', arguments: ask }] }, request => `Told: ${request.toolResults.at(-1)}`);
}

describe('while a question waits', () => {
  it('the message field is labelled as the answer field and sends the answer', async () => {
    scriptQuestion('ask about the tone', { question: 'Which tone?' });
    const { page, say, complaints } = await open();
    await say('ask about the tone');
    await page.waitForSelector(`${PURPOSE}[data-purpose="answer"]`);
    expect(await page.textContent(PURPOSE)).toContain('Which tone?');
    expect(await page.getAttribute(COMPOSER, 'placeholder')).toBe('Answer the agent…');
    // Stop stands alone until there is something to send.
    expect(await page.isVisible(byTestId('stop'))).toBe(true);
    expect(await page.isVisible(byTestId('send'))).toBe(false);
    await say('A dry one');
    await page.waitForSelector(turn('completed'));
    expect(await page.textContent(byTestId('clarify-answer'))).toBe('You answeredA dry one');
    expect(await page.locator(byTestId('user-message')).count()).toBe(1);
    expect(await page.inputValue(COMPOSER)).toBe('');
    expect(await page.getAttribute(COMPOSER, 'placeholder')).toBe('Message the agent…');
    expect(complaints).toEqual([]);
  });

  it('the person can send a new message instead', async () => {
    scriptQuestion('ask about the place', { question: 'Which place?' });
    bench.model.onTurn('something else', 'Something else is done.');
    const { page, say } = await open();
    await say('ask about the place');
    await page.waitForSelector(PURPOSE);
    await page.click(`${PURPOSE} button`);
    await page.keyboard.type('something else');
    await page.keyboard.press('Enter');
    await page.waitForSelector(byTestId('queued-note'));
    expect(await page.isVisible(question('pending'))).toBe(true);
    await say('At home');
    await page.waitForSelector(`${turn('completed')} >> nth=1`);
    expect(await page.textContent(byTestId('clarify-answer'))).toBe('You answeredAt home');
  });

  it('text that was started before the question stays a message', async () => {
    bench.model.onTurn(
      'think first, then ask',
      { text: 'Let me think.', toolCalls: [{ name: 'clarify', arguments: { question: 'Delete everything?' } }], pauseAfter: 0 },
      'Fine.',
    );
    const { page, say } = await open();
    await say('think first, then ask');
    await page.waitForSelector(turn('running'));
    await page.fill(COMPOSER, 'yes, and add a table');
    bench.model.resume();
    await page.waitForSelector(`${PURPOSE}[data-purpose="message"]`);
    await page.click(`${PURPOSE} button`);
    await page.waitForSelector(`${PURPOSE}[data-purpose="answer"]`);
    expect(await page.inputValue(COMPOSER)).toBe('yes, and add a table');
    await page.press(COMPOSER, 'Enter');
    await page.waitForSelector(turn('completed'));
  });

  it('a button leads to it from further up in the chat', async () => {
    bench.model.onTurn('tell me a lot', { text: Array.from({ length: 80 }, (_, line) => `Paragraph ${line}.`).join('\n\n') });
    scriptQuestion('ask below', { question: 'Down here?', choices: ['Yes', 'No'] });
    const { page, say } = await open();
    await say('tell me a lot');
    await page.waitForSelector(turn('completed'));
    await say('ask below');
    await page.waitForSelector(question('pending'));
    await page.evaluate(selector => document.querySelector(selector)?.scrollTo(0, 0), byTestId('transcript'));
    await page.waitForSelector(`${byTestId('jump-to-latest')}:has-text("is waiting for your answer")`);
    await page.click(byTestId('jump-to-latest'));
    await page.waitForSelector(byTestId('jump-to-latest'), { state: 'detached' });
    expect(await page.evaluate(isInView, question('pending'))).toBe(true);
    await page.click(byTestId('clarify-choice'));
    await page.waitForSelector(`${turn('completed')} >> nth=1`);
  });

  it('other chats show a dot, the title of the tab and a line that leads to it', async () => {
    scriptQuestion('ask from elsewhere', { question: 'Do you see me?', choices: ['Yes'] });
    const { page } = await open();
    // Another client starts the run, so that this page receives no event of it.
    const elsewhere = await bench.connect({ capabilities: ['clarify@1'] });
    await elsewhere.chat('ask from elsewhere');
    await elsewhere.waitFor('clarify_request');
    // The page polls every 15 s, and at once when it gets the focus.
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await page.waitForSelector(byTestId('waiting-banner'));
    await page.waitForSelector(byTestId('waiting-dot'));
    expect(await page.title()).toContain('is waiting for your answer');
    await page.click(`${byTestId('waiting-banner')} button`);
    await page.waitForSelector(question('pending'));
    expect(await page.isVisible(byTestId('waiting-banner'))).toBe(false);
    await page.click(byTestId('clarify-choice'));
    await page.waitForSelector(turn('completed'));
    await page.waitForSelector(byTestId('waiting-dot'), { state: 'detached' });
    expect(await page.title()).not.toContain('is waiting for your answer');
  });
});

describe('several questions at once', () => {
  const FORM = byTestId('question-form');
  const nth = (number: number) => `${byTestId('form-question')} >> nth=${number - 1}`;
  const SEND = byTestId('send-answers');
  const asks = [
    { question: 'Which wall?', choices: ['North', 'South'] },
    { question: 'Which colour?', choices: ['Red', 'Blue', 'Green'] },
    { question: 'Anything else?' },
  ].map(args => ({ name: 'clarify', arguments: args }));

  /** Sends a message after which the model asks three questions in one answer, and waits for the form. */
  const openForm = async (message: string) => {
    bench.model.onTurn(message, { toolCalls: asks }, request => `Told: ${request.toolResults.join(' | ')}`);
    const opened = await open();
    await opened.say(message);
    await opened.page.waitForSelector(`${nth(3)} >> textarea`);
    return opened;
  };

  it('stand on one card that sends all answers, chosen with keys and written', async () => {
    const { page, complaints } = await openForm('paint everything');
    expect(await page.locator(FORM).count()).toBe(1);
    expect(await page.textContent(`${FORM} header`)).toBe('The agent asks 3 questions');
    expect(await page.getAttribute(COMPOSER, 'placeholder')).toBe('Answer above, or write…');
    // The keys choose for the question with the focus, and a choice sends nothing.
    await page.waitForSelector(`${nth(2)} >> [data-shortcut="3"]`);
    await page.focus(`${nth(2)} >> textarea`);
    await page.keyboard.press('Alt+3');
    expect(await page.getAttribute(`${nth(2)} >> button:has-text("Green")`, 'aria-pressed')).toBe('true');
    expect(await page.getAttribute(`${nth(1)} >> button:has-text("North")`, 'aria-pressed')).toBe('false');
    expect(await page.textContent(`${FORM} [role="status"]`)).toBe('1 of 3 questions have an answer.');
    // Enter leads on to the next question without an answer, and sends when there is none.
    await page.focus(`${nth(1)} >> textarea`);
    await page.keyboard.type('Both walls');
    await page.keyboard.press('Enter');
    await page.keyboard.type('No, thank you');
    expect(await page.inputValue(`${nth(3)} >> textarea`)).toBe('No, thank you');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await findBarriers(page)).toEqual([]);
    }
    await page.click(SEND);
    await page.waitForSelector(turn('completed'));
    expect(await page.locator(byTestId('clarify-answer')).allTextContents()).toEqual([
      'You answeredBoth walls',
      'You answeredGreen',
      'You answeredNo, thank you',
    ]);
    expect(await page.textContent(byTestId('answer'))).toMatch(/Both walls.*\|.*Green.*\|.*No, thank you/s);
    expect(complaints).toEqual([]);
  });

  it('can be answered one by one, and the message field answers the last one', async () => {
    const { page, say } = await openForm('paint one by one');
    await page.click(`${nth(1)} >> button:has-text("South")`);
    await page.click(`${nth(1)} >> ${byTestId('answer-one')}`);
    await page.waitForSelector(`${nth(1)} >> ${byTestId('clarify-answer')}`);
    await page.click(`${nth(2)} >> ${byTestId('you-decide')}`);
    await page.click(SEND);
    await page.waitForSelector(`${PURPOSE}[data-purpose="answer"]`);
    expect(await page.isVisible(turn('waiting'))).toBe(true);
    await say('Two coats');
    await page.waitForSelector(turn('completed'));
    expect(await page.locator(byTestId('clarify-answer')).allTextContents()).toEqual([
      'You answeredSouth',
      'You answeredYou decide',
      'You answeredTwo coats',
    ]);
  });

  it('keep the answer that could not be sent, and say which one', async () => {
    const { page } = await openForm('paint with a bad line');
    // The gateway refuses an answer that is too long, and takes the others.
    await page.$eval(`${nth(1)} >> textarea`, field => field.removeAttribute('maxlength'));
    await page.fill(`${nth(1)} >> textarea`, 'x'.repeat(20_001));
    await page.click(`${nth(2)} >> button:has-text("Blue")`);
    await page.fill(`${nth(3)} >> textarea`, 'Nothing');
    await page.click(SEND);
    expect(await page.textContent(byTestId('answer-failed'))).toContain('The answer to question 1 was not sent.');
    // The two other answers are on their way when the refusal arrives.
    await page.waitForSelector(`${nth(2)} >> ${byTestId('clarify-answer')}:has-text("Blue")`);
    await page.waitForSelector(`${nth(3)} >> ${byTestId('clarify-answer')}:has-text("Nothing")`);
    await page.fill(`${nth(1)} >> textarea`, 'North');
    await page.keyboard.press('Enter');
    await page.waitForSelector(turn('completed'));
  });
});

function isInView(selector: string): boolean {
  const box = document.querySelector(selector)?.getBoundingClientRect();
  return box !== undefined && box.top >= 0 && box.bottom <= innerHeight;
}

describe('when the time for an answer is short', () => {
  let hasty: ApprovalBench;

  beforeAll(async () => {
    hasty = await startApprovalBench({ env: { NETA_CLARIFY_TIMEOUT_DECLARED_MS: '3000' } });
    hasty.model.onTurn('ask hastily', { toolCalls: [{ name: 'clarify', arguments: { question: 'Quick, which?' } }] }, 'I chose.');
  });

  afterAll(() => hasty?.stop());

  it('typing an answer keeps the question open', async () => {
    const { page, say } = await open(hasty.gateway.url);
    await say('ask hastily');
    await page.waitForSelector(question('pending'));
    // Longer than the whole time of the question.
    await page.type(COMPOSER, 'a long answer that takes its time', { delay: 120 });
    expect(await page.isVisible(question('pending'))).toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForSelector(turn('completed'));
    expect(await page.textContent(byTestId('clarify-answer'))).toContain('a long answer that takes its time');
  });

  it('typing a reason keeps an approval open', async () => {
    const { page, say } = await open(hasty.gateway.url);
    await say('tally hastily');
    await page.waitForSelector(approval('pending'));
    await page.click(byTestId('approval-deny'));
    await page.type(byTestId('approval-text'), 'a reason that takes its time', { delay: 120 });
    await page.click(byTestId('approval-submit'));
    await page.waitForSelector(turn('completed'));
    expect(await page.textContent(byTestId('approval-outcome'))).toContain('a reason that takes its time');
  });

  it('a late answer stays in the field as a message and keeps the focus', async () => {
    const { page, say, focusReaches } = await open(hasty.gateway.url);
    await say('ask hastily');
    await page.waitForSelector(question('pending'));
    await page.type(COMPOSER, 'half an ans');
    await page.waitForSelector(question('expired'));
    await page.waitForSelector(byTestId('late-answer'));
    expect(await page.inputValue(COMPOSER)).toBe('half an ans');
    await focusReaches('composer');
    // The agent reads it as the answer to its question.
    await page.press(COMPOSER, 'Enter');
    await page.waitForSelector(`${byTestId('user-message')}:has-text("Late answer to “")`);
    expect(await page.locator(byTestId('user-message')).last().textContent()).toMatch(/Late answer to “.+”: half an ans$/);
  });

  it('leaves the decision to the agent with one click', async () => {
    const { page, say } = await open(hasty.gateway.url);
    await say('ask hastily');
    await page.click(`${question('pending')} ${byTestId('you-decide')}`);
    await page.waitForSelector(turn('completed'));
    expect(await page.textContent(byTestId('clarify-answer'))).toContain('You decide');
  });

  it('the focus stays on the page when the question closes', async () => {
    hasty.model.onTurn(
      'offer choices',
      { toolCalls: [{ name: 'clarify', arguments: { question: 'A or B?', choices: ['A', 'B'] } }] },
      'Done.',
    );
    const { page, say, focusReaches } = await open(hasty.gateway.url);
    await say('offer choices');
    await page.waitForSelector(question('pending'));
    await page.focus(byTestId('clarify-choice'));
    await page.waitForSelector(question('expired'));
    await focusReaches('composer');
  });
});

describe('drafts', () => {
  it('belong to their chat and survive a reload', async () => {
    bench.model.onTurn('the first chat', 'First.');
    bench.model.onTurn('the second chat', 'Second.');
    const { page, say } = await open();
    await say('the first chat');
    await page.waitForSelector(turn('completed'));
    await page.fill(COMPOSER, 'unfinished in the first');
    await page.click(byTestId('new-chat'));
    await page.waitForSelector(byTestId('empty-state'));
    expect(await page.inputValue(COMPOSER)).toBe('');
    await page.fill(COMPOSER, 'unfinished in a new one');
    await page.goBack();
    await page.waitForSelector(turn('completed'));
    expect(await page.inputValue(COMPOSER)).toBe('unfinished in the first');
    await page.reload();
    await page.waitForSelector(turn('completed'));
    expect(await page.inputValue(COMPOSER)).toBe('unfinished in the first');
    await page.click(byTestId('new-chat'));
    await page.waitForSelector(byTestId('empty-state'));
    expect(await page.inputValue(COMPOSER)).toBe('unfinished in a new one');
    await page.press(COMPOSER, 'Enter');
    await page.click(byTestId('new-chat'));
    await page.waitForSelector(byTestId('empty-state'));
    expect(await page.inputValue(COMPOSER)).toBe('');
  });
});
