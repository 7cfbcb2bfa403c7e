import { useNavigate, useSearch } from '@tanstack/react-router';
import { memo, useMemo } from 'react';
import { badPacketLoss } from '../../../../contract.ts';
import { ErrorNotice } from '../../../../parts/page/async-state.tsx';
import { Notice } from '../../../../parts/page/notice.tsx';
import { useSameList } from '../../../../parts/tables/use-same-list.ts';
import { useTimeWindow, type WindowState } from '../../../../parts/time-window/use-window.ts';
import { extentOf, timeOf } from '../../../../parts/time-window/window.ts';
import { texts } from '../../../../texts/en.ts';
import { BadMinutes } from '../bad-minutes.tsx';
import { Connections } from '../connections.tsx';
import type { PersonMinutes } from '../figures.ts';
import { figuresCsv, figuresFilename } from '../figures-csv.ts';
import { Figures } from '../figures-table.tsx';
import { readOthers, writeOthers } from '../others.ts';
import { OthersPicker } from '../others-picker.tsx';
import { ParticipantFacts } from '../participant-facts.tsx';
import { ParticipantHeader, type SessionOfParticipant } from '../participant-header.tsx';
import { Charts } from './charts.tsx';
import { badRuns, coverageOf } from './minutes.ts';
import { type PersonSamples, shortestMs } from './samples-query.ts';
import { type PersonNetwork, type SessionNetwork, useSessionNetwork } from './use-network.ts';

type NetworkProps = {
  readonly session: SessionOfParticipant;
  /** The participant of the view, and the others. */
  readonly people: readonly PersonNetwork[];
  readonly own: PersonNetwork;
  readonly samples: PersonSamples;
};

/** Device, charts, bad minutes, connections and figures of a participant. Rendering them again with the same props takes no work. */
export const Network = memo(({ session, people, own, samples }: NetworkProps) => {
  const others = people.slice(1);
  const network = useSessionNetwork(session.id);
  const state = useWindowOf(samples, network);
  const runs = useMemo(() => badRuns(own.minutes, badPacketLoss), [own.minutes]);
  const isComplete = samples.loadedUntil >= samples.to;
  const minutes = usePeopleMinutes(people);
  const { connections, to } = samples;
  const coverage = useMemo(() => coverageOf(connections, own.minutes, to - shortestMs), [connections, own.minutes, to]);
  return (
    <>
      <ParticipantHeader
        name={own.name}
        session={session}
        csv={{
          filename: figuresFilename(own.id),
          pieces: () => figuresCsv(minutes, network.minutes, state.window),
        }}
      />
      <ParticipantFacts connections={connections} />
      <Others session={session.id} ownId={own.id} people={others} />
      <Failures others={others} own={own} network={network} />
      <Charts own={own} others={others} network={network} samples={samples} runs={runs} state={state} />
      {own.minutes.length > 0 && (
        <BadMinutes runs={runs} coverage={coverage} isComplete={isComplete} extent={state.extent} />
      )}
      {own.minutes.length === 0 && isComplete && <Notice {...texts.participant.noSamples} kind="hint" />}
      <Connections connections={connections} />
      <Figures people={minutes} session={network.minutes} window={state.window} />
    </>
  );
});

/** The window of the charts. Its extent is that of the participant, and what of the session is known. */
function useWindowOf({ from, to, connections }: PersonSamples, network: SessionNetwork): WindowState {
  const search = useSearch({ from: '/participant' });
  const navigate = useNavigate({ from: '/participant' });
  const first = timeOf(network.minutes[0]?.minute);
  const joined = connections[0]?.joinedAt;
  const extent = useMemo(() => extentOf([from, to, joined, first]) ?? { from, to }, [from, to, joined, first]);
  return useTimeWindow(extent, search, (window, replace) => {
    void navigate({ search: (before) => ({ ...before, ...window }), replace, resetScroll: false });
  });
}

function usePeopleMinutes(networks: readonly PersonNetwork[]): readonly PersonMinutes[] {
  const minutes = useSameList(networks.map((each) => each.minutes));
  const names = useSameList(networks.map(({ name, id }) => name ?? id));
  return useMemo(() => minutes.map((each, index) => ({ minutes: each, name: names[index] ?? '' })), [minutes, names]);
}

type OthersProps = { readonly session: string; readonly ownId: string; readonly people: readonly PersonNetwork[] };

/** The address tells who is chosen. The charts show it a moment later. */
function Others({ session, ownId, people }: OthersProps) {
  const { with: chosen } = useSearch({ from: '/participant' });
  const others = readOthers(chosen, ownId).map((id) => ({ id, name: people.find((person) => person.id === id)?.name }));
  const navigate = useNavigate({ from: '/participant' });
  return (
    <OthersPicker
      session={session}
      ownId={ownId}
      others={others}
      onChange={(ids) =>
        void navigate({ search: (before) => ({ ...before, with: writeOthers(ids) }), resetScroll: false })
      }
    />
  );
}

type FailuresProps = {
  readonly own: PersonNetwork;
  readonly others: readonly PersonNetwork[];
  readonly network: SessionNetwork;
};

/** What could not be fetched, while the rest is shown. */
function Failures({ own, others, network }: FailuresProps) {
  return (
    <>
      {[own, ...others, network].map(({ error, retry }, index) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: the people of the address keep their places
        return error && <ErrorNotice key={index} error={error} retry={retry} />;
      })}
    </>
  );
}
