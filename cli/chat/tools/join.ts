import type { Toolbox } from './toolbox.ts';

/** The tools of several toolboxes; if names are equal, the first one's. */
export function joinToolboxes(boxes: readonly Toolbox[]): Toolbox {
  const owners = new Map<string, Toolbox>();
  const definitions = boxes.flatMap((box) =>
    box.definitions.filter(({ function: tool }) => {
      const name = tool?.name ?? '';
      if (owners.has(name)) return false;
      owners.set(name, box);
      return true;
    }),
  );
  return {
    definitions,
    async call(call, asking) {
      const name = call.function?.name ?? '';
      return owners.get(name)?.call(call, asking) ?? `Error: there is no tool named ${name}.`;
    },
  };
}
