import { useId } from 'preact/hooks';
import { useLocale } from '../../i18n/language_context';
import { MarkdownView } from '../answer/markdown_view';
import { ChoiceButtons, YouDecide } from './choice_buttons';
import { type ClarifyCardProps, Outcome } from './clarify_card';
import { Countdown } from './countdown';
import { questionFormTexts } from './question_form_texts';
import type { Answers } from './use_answers';
import { useSettled } from './use_asking_card';

/** Characters that the gateway accepts in one answer. */
const MAX_LENGTH = 20_000;

interface FormQuestionProps extends Pick<ClarifyCardProps, 'item' | 'clockOffsetMs' | 'onExtend' | 'onAnswerLate'> {
  place: { number: number; count: number };
  answers: Answers;
  /** True when this page has shown the open questions. */
  sawPending: boolean;
  /** True when this is the last open question: the button of the form sends it. */
  isAlone: boolean;
  onTyping: () => void;
  onEnter: () => void;
}

/** Shows one question of a form: its time, its choices, its field, and after the answer its outcome. */
export function FormQuestion(props: FormQuestionProps) {
  const texts = questionFormTexts[useLocale()];
  const { item, place, answers } = props;
  const titleId = useId();
  const isPending = item.status === 'pending';
  return (
    <fieldset
      aria-labelledby={titleId}
      data-testid="form-question"
      data-question={item.requestId}
      data-status={item.status}
      data-answered={answers.answerOf(item.requestId) !== undefined}
    >
      <div class="question-place">
        <span>{texts.place(place.number, place.count)}</span>
        {isPending && <Countdown {...props} testIds="clarify" />}
      </div>
      <div class="clarify-question" id={titleId}>
        <MarkdownView text={item.question} done />
      </div>
      {isPending ? <Fields {...props} titleId={titleId} /> : <Outcome {...props} />}
    </fieldset>
  );
}

function Fields({ item, place, answers, isAlone, onTyping, onEnter, titleId }: FormQuestionProps & { titleId: string }) {
  const texts = questionFormTexts[useLocale()];
  const { requestId, choices } = item;
  const isSettled = useSettled(true);
  const draft = answers.draftOf(requestId);
  const isSending = answers.isSending(requestId);
  const choose = (choice: string) => answers.write(requestId, { ...draft, chosen: draft.chosen === choice ? undefined : choice });
  return (
    <>
      <ChoiceButtons choices={choices} hasShortcut={isSettled} isSending={isSending} chosen={draft.chosen ?? null} onChoose={choose} />
      <div class="form-own">
        <textarea
          rows={1}
          value={draft.text}
          maxLength={MAX_LENGTH}
          class={draft.chosen === undefined ? undefined : 'unused'}
          aria-labelledby={titleId}
          placeholder={texts.ownWords}
          readOnly={isSending}
          data-testid="form-answer"
          onInput={event => {
            answers.write(requestId, { text: event.currentTarget.value });
            onTyping();
          }}
          onKeyDown={event => {
            // An input method uses Enter for its own candidates; older browsers report key code 229 then.
            if (event.isComposing || event.keyCode === 229 || event.key !== 'Enter' || event.shiftKey) return;
            event.preventDefault();
            onEnter();
          }}
        />
        <YouDecide chosen={draft.chosen ?? null} onChoose={choose} />
        {!isAlone && answers.answerOf(requestId) !== undefined && (
          <button
            type="button"
            class="link-button"
            data-testid="answer-one"
            aria-disabled={isSending}
            onClick={() => void answers.send([item])}
          >
            {texts.answerOne}
          </button>
        )}
        {isSending && <span class="spinner" />}
      </div>
      {answers.hasFailed(requestId) && (
        <p class="form-error" role="alert" data-testid="answer-failed">
          {texts.notSent(place.number)}
        </p>
      )}
    </>
  );
}
