import { useState } from 'preact/hooks';
import { copyText } from '../../components/basic/copy_button';
import { useLocale } from '../../i18n/language_context';
import { ROOT } from '../../platform/root';
import { saveFile } from '../../platform/save_file';
import { useStore } from '../../platform/store';
import { ReasonDialog } from '../parts/reason_dialog';
import { ScopeButton } from '../parts/scope_button';
import { useAction } from '../parts/use_action';
import { useOps } from '../shared/ops_controller';
import { runHref } from '../shared/place';
import { cancelRun, curlOf, exportRun, startAgain } from './run_api';
import { isTerminal } from './run_states';
import { runTexts } from './run_texts';
import type { RunDetail } from './run_types';

/** The actions of an operator on a run. */
export function RunActions({ detail: { run, again }, onChanged }: { detail: RunDetail; onChanged: () => void }) {
  const texts = runTexts[useLocale()];
  const ops = useOps();
  const { isBusy, run: act } = useAction();
  const [isAsking, setAsking] = useState(false);
  const hasKeys = useStore(ops.store, state => state.me?.loginRequired === true);
  const copyCurl = async () => {
    if (again)
      ops.notify(
        (await copyText(curlOf(again, { origin: location.origin + ROOT.slice(0, -1), hasKeys }))) ? texts.curlCopied : texts.notCopied,
      );
  };
  const repeat = async () => {
    if (again) ops.go(runHref((await startAgain(again)).runId));
  };
  return (
    <div class="toolbar">
      {!isTerminal(run.status) && (
        <ScopeButton scope="ops:write" isBusy={isBusy} isDanger testId="cancel-run" onClick={() => setAsking(true)}>
          {texts.cancel}
        </ScopeButton>
      )}
      {again ? (
        <>
          <ScopeButton scope="chat" isBusy={isBusy} testId="run-again" onClick={() => act(repeat, texts.startedAgain)}>
            {texts.again}
          </ScopeButton>
          <button type="button" class="button" data-testid="copy-curl" onClick={() => void copyCurl()}>
            {texts.copyCurl}
          </button>
        </>
      ) : (
        <span class="field-note">{texts.noTexts}</span>
      )}
      <button
        type="button"
        class="button"
        aria-disabled={isBusy}
        data-testid="export-run"
        onClick={() => act(async () => saveFile(`run-${run.runId}.json`, JSON.stringify(await exportRun(run.runId), null, 2)))}
      >
        {texts.export}
      </button>
      {isAsking && (
        <ReasonDialog
          title={texts.cancelQuestion}
          text={texts.cancelText}
          reasonLabel={texts.cancelReason}
          action={texts.cancel}
          keep={texts.keepRunning}
          onConfirm={reason => {
            setAsking(false);
            act(async () => {
              await cancelRun(run.runId, reason);
              onChanged();
            }, texts.cancelled);
          }}
          onCancel={() => setAsking(false)}
        />
      )}
    </div>
  );
}
