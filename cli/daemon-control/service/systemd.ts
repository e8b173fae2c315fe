import { SERVICE_NAME, STOP_SECONDS, type ServiceParts } from './definition.ts';

/** A daemon that cannot start is not restarted forever. */
const START_LIMIT = { seconds: 60, starts: 8 };

/** The home of the system service, which systemd creates and gives to the service's own user. */
export const SYSTEM_HOME = `/var/lib/${SERVICE_NAME}`;

/**
 * Restrictions that also work without root. System calls and namespaces that a runner's sandbox needs stay allowed,
 * and so does writable and executable memory, which V8 compiles into.
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

/** A dedicated user that can only write its home, and use the machine's cards but no other devices. */
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

/** For the system's systemd: it runs from boot, whoever is logged in. */
export function systemdSystemUnit(parts: ServiceParts): string {
  // Downloads go to a cache in HOME, which a user created by systemd does not have.
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

/** systemd expands percent signs, quotes and backslashes, and in commands also dollar signs. */
function systemdWord(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%')}"`;
}
