import type { Collector } from '../collector';
import type { Methods } from './method-table';

/** Models: the windows that lend theirs, the key of an endpoint, and another try for what failed. */
export function modelMethods(
  collector: Collector,
): Methods<'retryModel' | 'takeModelRequest' | 'answerModelRequest' | 'modelKey'> {
  const { models, modelRequests, modelSetup } = collector;
  return {
    retryModel: async () => ({ turns: await models.retryFailed() }),
    takeModelRequest: ({ request_id }) => {
      const request = modelRequests.take(request_id);
      if (!request) return { request: null };
      const { system, prompt, maxTokens } = request;
      return { request: { system, prompt, max_tokens: maxTokens } };
    },
    answerModelRequest: ({ request_id, text, error }) => {
      modelRequests.answer(
        request_id,
        text === undefined ? { error: error ?? 'The model of the window gave no answer.' } : { text },
      );
      return {};
    },
    modelKey: ({ key }) => {
      modelSetup.setKey(key);
      return {};
    },
  };
}
