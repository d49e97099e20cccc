/** The card that leads a new person from the demo to a model, in a real browser. */
import { type AgentConfig, createAgentConfig } from '../support/agent_config';
import { type Gateway, startGateway } from '../support/gateway';
import { KEY, type KeyedModel, startKeyedModel } from '../support/keyed_model';
import { type MockModel, startMockModel } from '../support/mock_model';
import { byTestId, type ChatBrowser, startChatBrowser, turn } from './chat_browser';

let browser: ChatBrowser;
let model: MockModel;
let server: KeyedModel;
let config: AgentConfig;
let gateway: Gateway;

beforeAll(async () => {
  [browser, model, config] = await Promise.all([startChatBrowser(), startMockModel(), createAgentConfig(['base'])]);
  server = await startKeyedModel(model);
  gateway = await startGateway({ env: { NETA_CONFIG_DIR: config.directory } });
});
afterAll(async () => {
  await browser?.stop();
  await gateway?.stop();
  server?.stop();
  await Promise.all([model?.stop(), config?.remove()]);
});

it('leads from the demo to a model, with the words of a server that refuses on the way', async () => {
  const { page, say, complaints } = await browser.open({ url: gateway.url });
  const submit = () => page.click(byTestId('connect-submit'));
  await page.waitForSelector(byTestId('demo-badge'));
  await page.click(byTestId('connect-open'));
  await page.selectOption(byTestId('connect-provider'), 'other');
  await page.fill(byTestId('connect-address'), server.baseUrl);
  await page.fill(byTestId('connect-key'), 'sk-wrong-0123456789');
  await submit();
  await page.waitForSelector(`${byTestId('connect-problem')}:has-text("you know which")`);
  await page.fill(byTestId('connect-key'), KEY);
  await submit();
  model.onTurn('the word OK', { error: { status: 404, message: 'The model gpt-none does not exist' }, times: 1 });
  model.onTurn('the word OK', 'OK');
  await page.fill(byTestId('connect-model'), 'gpt-none');
  await submit();
  await page.waitForSelector(`${byTestId('connect-problem')}:has-text("does not exist")`);
  await page.fill(byTestId('connect-model'), 'gpt-small');
  await submit();
  await page.waitForSelector(byTestId('demo-badge'), { state: 'detached' });
  model.onTurn('are you real', 'I am real.');
  await say('are you real');
  expect(await page.textContent(turn('completed'))).toContain('I am real.');
  expect(complaints).toEqual([]);
});
