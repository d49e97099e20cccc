import type { ChatController } from '../../chat/chat_controller';
import { RelativeTime } from '../../components/basic/relative_time';
import { EditableRow } from '../../components/list/editable_row';
import { isReadOnly, SharingPart } from '../../components/people/sharing_part';
import { useLocale } from '../../i18n/language_context';
import { onPlainClick } from '../../platform/plain_click';
import { ROOT } from '../../platform/root';
import { useStore } from '../../platform/store';
import { type Memory, shareMemory } from './memory_api';
import { MemoryForm } from './memory_form';
import { memoryTexts } from './memory_texts';

/** Characters of a memory that name it to screen readers. */
const MAX_NAME = 60;

interface MemoryRowProps {
  memory: Memory;
  controller: ChatController;
  /** undefined: this person no longer sees the memory. */
  onChange: (memory: Memory | undefined) => void;
  onForget: () => void;
}

/** Shows one memory, or the form that edits it. */
export function MemoryRow({ memory, controller, onChange, onForget }: MemoryRowProps) {
  const texts = memoryTexts[useLocale()];
  const isOthers = useStore(controller.store, state => isReadOnly(memory, state));
  const form = (close: () => void) => (
    <MemoryForm
      memory={memory}
      onSaved={next => {
        close();
        onChange(next);
      }}
      onBack={close}
    />
  );
  return (
    <EditableRow
      testId="memory"
      data={{ 'data-kind': memory.kind }}
      name={nameOf(memory)}
      edit={texts.editMemory}
      remove={{ label: texts.forget, testId: 'forget-memory' }}
      onRemove={onForget}
      form={form}
      isReadOnly={isOthers}
    >
      <p class="memory-text">{memory.text}</p>
      <Facts memory={memory} isOthers={isOthers} controller={controller} onChange={onChange} />
    </EditableRow>
  );
}

const nameOf = ({ text }: Memory): string => text.slice(0, MAX_NAME);

interface FactsProps extends Pick<MemoryRowProps, 'memory' | 'controller' | 'onChange'> {
  /** True when the memory belongs to another person. */
  isOthers: boolean;
}

/** Shows the kind, where the memory comes from, when it was changed and used, and who sees it. */
function Facts({ memory, isOthers, controller, onChange }: FactsProps) {
  const texts = memoryTexts[useLocale()];
  const { source, updatedAt, lastUsedAt } = memory;
  const { sessionId } = source;
  return (
    <div class="row-facts">
      <span class="tag">{texts.kind[memory.kind]}</span>
      {source.tainted && (
        <span class="tag warn" title={texts.taintedTitle}>
          {texts.tainted}
        </span>
      )}
      {/* The chat of another person may be private. */}
      {!isOthers && (
        <span>
          {source.by === 'person' ? texts.byPerson : texts.byAgent}
          {sessionId && (
            <>
              {' '}
              <a href={`${ROOT}?session=${encodeURIComponent(sessionId)}`} onClick={onPlainClick(() => controller.open(sessionId))}>
                {texts.inChat}
              </a>
            </>
          )}
        </span>
      )}
      <span>
        {texts.changed} <RelativeTime iso={updatedAt} />
      </span>
      {lastUsedAt && (
        <span>
          {texts.lastUsed} <RelativeTime iso={lastUsedAt} />
        </span>
      )}
      <SharingPart
        thing={memory}
        name={nameOf(memory)}
        store={controller.store}
        onShare={change => shareMemory(memory.id, change).then(onChange)}
      />
    </div>
  );
}
