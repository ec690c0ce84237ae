using System;
using System.IO;
using System.Net;
using System.Threading;
using System.Threading.Tasks;

namespace LicencePortal
{
    /// <summary>Settings of a <see cref="LicenceClient"/>. Set them once, before you create the client.</summary>
    public sealed class LicenceSettings
    {
        /// <summary>Address of the portal, such as <c>https://portal.example</c>.</summary>
        public Uri Address { get; set; }

        /// <summary>Version of the add-in, such as <c>7.2.0</c>.</summary>
        public string AddInVersion { get; set; } = "0";

        /// <summary>Version of the program that hosts the add-in, such as <c>16.0.17328</c>.</summary>
        public string HostVersion { get; set; } = "0";

        /// <summary>The answer of <c>GET /v1/licence/signing-keys</c>, shipped with the add-in. The client trusts these keys
        /// without a network, never replaces them, and fetches newer ones. Without shipped keys, TLS alone protects the first
        /// fetch, and a device that never was online can't use a licence file.</summary>
        public string ShippedKeys { get; set; }

        /// <summary>The answer of <c>GET /v1/software/release-keys</c>, shipped with the add-in. If set, updates signed by any
        /// other key are refused.</summary>
        public string ShippedReleaseKeys { get; set; }

        /// <summary>True in test builds only: accepts sandbox codes, fetches the sandbox's keys and uses a state file of its own.
        /// Without it, everything the sandbox signs is refused.</summary>
        public bool Sandbox { get; set; }

        /// <summary>Proxy to use. By default, the user's proxy settings with the user's own credentials.</summary>
        public IWebProxy Proxy { get; set; }

        /// <summary>Folder of the state file. It shouldn't roam. Programs that use the same folder share one activation.</summary>
        public string Folder { get; set; } = Path.Combine(
            Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData), "LicencePortal");

        /// <summary>Time limit of one request, including the response. The default is 10 seconds.</summary>
        public TimeSpan TimeLimit { get; set; } = TimeSpan.FromSeconds(10);

        /// <summary>Describes this device. The default reads the firmware, the disk and the network cards.</summary>
        public Func<DeviceDescription> DescribeDevice { get; set; } = DeviceDescription.ReadCached;

        /// <summary>Returns your own text for a decision, or null for the client's. Use it to translate.</summary>
        public Func<Decision, string> Text { get; set; }

        /// <summary>Receives one line for each problem that the client handled, without codes, tokens or names.</summary>
        public Action<string> Log { get; set; }

        /// <summary>This device's clock, in UTC. Tests replace it.</summary>
        internal Func<DateTime> Now { get; set; } = () => DateTime.UtcNow;

        /// <summary>Waits. Tests only record it.</summary>
        internal Func<TimeSpan, CancellationToken, Task> Wait { get; set; } = Task.Delay;

        internal void Report(string problem, Exception error = null)
        {
            try { Log?.Invoke(error == null ? problem : problem + ": " + error.GetType().Name + " " + error.Message); }
            catch (Exception) { /* A fault of the host's log must not stop the add-in. */ }
        }
    }
}
