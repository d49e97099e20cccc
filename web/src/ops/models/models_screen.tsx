import { RelativeTime } from '../../components/basic/relative_time';
import { useLocale } from '../../i18n/language_context';
import { LoadNotice } from '../parts/load_notice';
import { useLive } from '../parts/use_live';
import { ModelTable } from './model_table';
import type { ModelsView } from './models_api';
import { modelsTexts } from './models_texts';
import { UsagePart } from './usage_part';

/** The models with their figures, and the usage by day, model, agent, key and tool. */
export function ModelsScreen() {
  const texts = modelsTexts[useLocale()];
  const view = useLive<ModelsView>('models');
  const models = view.data?.models ?? [];
  const unpriced = models.filter(({ unpricedCalls = 0, today }) => unpricedCalls + today.unpricedRuns > 0);
  return (
    <>
      <LoadNotice of={view} />
      {unpriced.length > 0 && (
        <section class="panel warn" aria-labelledby="unpriced-heading" data-testid="unpriced">
          <h2 id="unpriced-heading">{texts.unpricedTitle}</h2>
          <p>{texts.unpriced(unpriced.map(({ model }) => model).join(', '))}</p>
        </section>
      )}
      {view.data && (
        <section aria-labelledby="models-heading">
          <h2 id="models-heading">{texts.models}</h2>
          <ModelTable rows={models} countedSince={view.data.countedSince} />
          <p class="field-note">
            {texts.countedSince} <RelativeTime iso={view.data.countedSince} />
          </p>
        </section>
      )}
      <UsagePart />
    </>
  );
}
