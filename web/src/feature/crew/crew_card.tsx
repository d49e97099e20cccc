import { useEffect, useId } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import { Icon, type IconName } from '../../components/basic/icon';
import { KeptPart, useKept } from '../../components/basic/kept_state';
import { useNow } from '../../components/basic/use_now';
import { ApprovalCard } from '../../components/questions/approval_card';
import { formatCount, formatDuration } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { toPlainText } from '../../markdown/plain_text';
import { useStore } from '../../platform/store';
import type { ApprovalItem, DelegateItem, Turn } from '../../state/view_types';
import { CrewDetails, type CrewDetailsProps } from './crew_details';
import { crewTexts } from './crew_texts';
import { durationOf, isWorking, type MemberState, memberStateOf, progressOf, tokensOf } from './member_work';
import { ToolLine } from './tool_line';

/** Tool calls on a closed card. */
const LIVE_STEPS = 3;
/** Characters of a result that are kept for a closed card, which shows fewer. */
const MAX_SAID = 1_000;
const TICK_MS = 1000;

export interface CrewCardProps extends Pick<CrewDetailsProps, 'controller' | 'renderStep'> {
  item: DelegateItem;
  /** The approvals of the member, decided ones too. */
  approvals: readonly ApprovalItem[];
  clockOffsetMs: number;
}

/** Shows a task that a member of the crew works on: its live steps, then its result. It opens to the whole work. */
export function CrewCard({ item, approvals, clockOffsetMs, controller, renderStep }: CrewCardProps) {
  const [isOpen, setOpen] = useKept(item.id, false);
  const member = useMemberLabel(controller, item.member);
  const turn = useChildTurn(controller, item);
  const open = approvals.filter(({ status }) => status === 'pending');
  const state = memberStateOf(item, turn, open.length > 0);
  const labelId = useId();
  return (
    <section
      class={isOpen ? 'crew-card open' : 'crew-card'}
      aria-labelledby={labelId}
      data-testid="crew-card"
      data-state={state}
      data-member={item.member}
    >
      <div class="crew-head">
        <button type="button" class="crew-toggle" aria-expanded={isOpen} data-testid="crew-toggle" onClick={() => setOpen(!isOpen)}>
          <StateMark state={state} />
          <strong id={labelId}>{member}</strong>
          <Facts item={item} turn={turn} state={state} clockOffsetMs={clockOffsetMs} />
          <span class="chevron">
            <Icon name="chevron" />
          </span>
        </button>
        {isWorking(state) && <StopMember member={member} runId={item.childRunId} controller={controller} />}
      </div>
      <Approvals items={open} member={member} clockOffsetMs={clockOffsetMs} controller={controller} />
      {isOpen ? (
        <KeptPart id={item.id}>
          <CrewDetails item={item} turn={turn} controller={controller} renderStep={renderStep} />
        </KeptPart>
      ) : (
        <Glance item={item} turn={turn} state={state} />
      )}
    </section>
  );
}

/** Follows a working member. The steps of a member that is done load when the card is opened. */
function useChildTurn(controller: ChatController, item: DelegateItem): Turn | undefined {
  const { childRunId, childSessionId, state } = item;
  const isOpenTask = state === 'open';
  useEffect(() => {
    if (isOpenTask) controller.children.follow({ childRunId, childSessionId });
  }, [controller, isOpenTask, childRunId, childSessionId]);
  return useStore(controller.store, ({ children }) => children[childSessionId]?.turns.find(turn => turn.runId === childRunId));
}

/** Returns the agent's label in the language of the browser, or its name while that is unknown. */
function useMemberLabel(controller: ChatController, name: string): string {
  useEffect(() => void controller.loadAgents(), [controller]);
  return useStore(controller.store, ({ agents }) => agents?.find(agent => agent.name === name)?.label) ?? name;
}

const STATE_ICONS: Record<Exclude<MemberState, 'waiting' | 'running'>, IconName> = {
  asking: 'question',
  completed: 'check',
  incomplete: 'alert',
  failed: 'alert',
  cancelled: 'stop',
};

function StateMark({ state }: { state: MemberState }) {
  const texts = crewTexts[useLocale()];
  return (
    <span class="crew-state" title={texts.states[state]}>
      {state === 'running' ? <span class="spinner" /> : <Icon name={state === 'waiting' ? 'clock' : STATE_ICONS[state]} />}
    </span>
  );
}

interface FactsProps {
  item: DelegateItem;
  turn: Turn | undefined;
  state: MemberState;
  clockOffsetMs: number;
}

function Facts({ item, turn, state, clockOffsetMs }: FactsProps) {
  const locale = useLocale();
  const texts = crewTexts[locale];
  const tokens = tokensOf(item, turn);
  return (
    <span class="crew-facts">
      <span class="crew-state-text" data-testid="crew-state">
        {texts.states[state]}
      </span>
      {isWorking(state) ? (
        <Elapsed item={item} clockOffsetMs={clockOffsetMs} />
      ) : (
        <span data-testid="crew-duration">{formatDuration(durationOf(item, Date.now() + clockOffsetMs), locale)}</span>
      )}
      {tokens !== undefined && <span data-testid="crew-tokens">{texts.tokens(formatCount(tokens, locale))}</span>}
    </span>
  );
}

function Elapsed({ item, clockOffsetMs }: { item: DelegateItem; clockOffsetMs: number }) {
  const locale = useLocale();
  const now = useNow(TICK_MS);
  const seconds = Math.floor(durationOf(item, now + clockOffsetMs) / 1000);
  return <span role="timer">{formatDuration(seconds * 1000, locale, 0)}</span>;
}

function StopMember({ member, runId, controller }: { member: string; runId: string; controller: ChatController }) {
  const texts = crewTexts[useLocale()];
  const isStopping = useStore(controller.store, state => state.stoppingRunId === runId);
  return (
    <button
      type="button"
      class="button crew-stop"
      aria-label={texts.stopMember(member)}
      data-testid="crew-stop"
      disabled={isStopping}
      onClick={() => void controller.stop(runId)}
    >
      <Icon name="stop" />
      <span>{isStopping ? texts.stopping : texts.stop}</span>
    </button>
  );
}

interface ApprovalsProps {
  items: readonly ApprovalItem[];
  member: string;
  clockOffsetMs: number;
  controller: ChatController;
}

/** Shows the approvals that the member waits for. Decided approvals are among its steps. */
function Approvals({ items, member, clockOffsetMs, controller }: ApprovalsProps) {
  const texts = crewTexts[useLocale()];
  if (items.length === 0) return null;
  return (
    <div class="crew-approvals">
      <p>{texts.asks(member)}</p>
      {items.map(item => (
        <ApprovalCard
          key={item.id}
          item={item}
          clockOffsetMs={clockOffsetMs}
          onDecide={controller.decide}
          onExtend={controller.extend}
          onTyping={controller.keepOpen}
        />
      ))}
    </div>
  );
}

/** Shows the task in brief, and the latest steps or the result. */
function Glance({ item, turn, state }: { item: DelegateItem; turn: Turn | undefined; state: MemberState }) {
  const texts = crewTexts[useLocale()];
  const { tools, earlier, text } = progressOf(turn, LIVE_STEPS);
  const isBusy = isWorking(state);
  const said = isBusy ? text : toPlainText((item.summary ?? '').slice(0, MAX_SAID)) || item.error?.message || text;
  return (
    <div class="crew-glance">
      <p class="crew-task" data-testid="crew-task">
        {item.task}
      </p>
      {isBusy && tools.length > 0 && (
        <ul class="tool-lines" data-testid="crew-steps">
          {earlier > 0 && <li class="earlier">{texts.earlierSteps(earlier)}</li>}
          {tools.map(tool => (
            <ToolLine key={tool.id} item={tool} />
          ))}
        </ul>
      )}
      {said !== '' && (
        <p class={isBusy ? 'crew-said live' : 'crew-said'} data-testid="crew-said">
          {said}
        </p>
      )}
    </div>
  );
}
