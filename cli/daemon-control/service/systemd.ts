import { SERVICE_NAME, STOP_SECONDS, type ServiceParts } from './definition.ts';

/** A daemon that cannot start is not restarted for ever. */
const START_LIMIT = { seconds: 60, starts: 8 };

/** The home of the service of the whole machine, which systemd creates and gives to the service's own user. */
export const SYSTEM_HOME = `/var/lib/${SERVICE_NAME}`;

/**
 * What also holds without root's help. System calls and namespaces that a sandbox of a runner needs stay allowed, and so
 * does memory that is written and executed: V8 compiles into it.
 */
const HARDENED = `UMask=0077
NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=user mnt pid net ipc uts
SystemCallArchitectures=native
SystemCallFilter=~@clock @cpu-emulation @debug @module @obsolete @raw-io @reboot @swap
SystemCallErrorNumber=EPERM`;

/** A user of its own, who can write its home and nothing else, and use the machine's cards and no other device. */
const CONFINED = `DynamicUser=yes
User=${SERVICE_NAME}
SupplementaryGroups=video render
StateDirectory=${SERVICE_NAME}
StateDirectoryMode=0700
CapabilityBoundingSet=
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateUsers=yes
DevicePolicy=closed
DeviceAllow=char-drm rw
DeviceAllow=char-kfd rw
DeviceAllow=char-nvidia* rw
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible`;

/** For systemd --user. */
export function systemdUnit(parts: ServiceParts): string {
  return unit(parts, { confined: [], wantedBy: 'default.target' });
}

/** For the systemd of the machine: it runs from boot, whoever is logged in. */
export function systemdSystemUnit(parts: ServiceParts): string {
  // Downloads go to a cache in HOME, which a user of systemd's making does not have.
  const confined = [`Environment=${systemdWord(`HOME=${parts.home}`)}`, CONFINED];
  return unit(parts, { confined, wantedBy: 'multi-user.target' });
}

type Options = { confined: readonly string[]; wantedBy: string };

function unit({ node, entry, home }: ServiceParts, { confined, wantedBy }: Options): string {
  return `[Unit]
Description=askd, a local model server
StartLimitIntervalSec=${START_LIMIT.seconds}
StartLimitBurst=${START_LIMIT.starts}

[Service]
ExecStart=${[node, entry].map((word) => systemdWord(word).replaceAll('$', '$$$$')).join(' ')}
Environment=${systemdWord(`ASKD_HOME=${home}`)}
Restart=on-failure
RestartSec=2
TimeoutStopSec=${STOP_SECONDS}
${[...confined, HARDENED].join('\n')}

[Install]
WantedBy=${wantedBy}
`;
}

/** systemd expands percent signs, quotes and backslashes, and in commands also dollars. */
function systemdWord(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%')}"`;
}
