/** Turns recordings into text, with the transcription model that the operator has named. */
import type { Feature } from '../../feature';
import { TranscriptionController } from './routes';
import { TranscriptionService, type TranscriptionServices } from './transcription_service';

export const transcription: Feature = {
  name: 'transcription',
  routes: [TranscriptionController],
  install({ ports: { store, clock, priceList, transcription: model }, dayBudgets }) {
    const transcriptionService = new TranscriptionService({ model, store, clock, priceList, dayBudgets });
    return { services: { transcriptionService } satisfies TranscriptionServices };
  },
};
