using System;
using System.Collections.Generic;

namespace LicencePortal
{
    /// <summary>Reason that the add-in may or may not run.</summary>
    public enum Reason
    {
        /// <summary>The portal permitted it.</summary>
        Answered,
        /// <summary>There was no answer, but an earlier answer is still valid.</summary>
        Grace,
        /// <summary>The licence file on this device is valid.</summary>
        LicenceFile,
        /// <summary>The portal refused; <see cref="Decision.ResultCode"/> has the reason.</summary>
        Refused,
        /// <summary>The concurrent licence is valid, but this device has no seat.</summary>
        SeatNeeded,
        /// <summary>The device was never activated, or has been deactivated.</summary>
        NotActivated,
        /// <summary>There was no answer, and nothing stored permits running.</summary>
        NothingKept,
        /// <summary>The stored answer isn't genuine.</summary>
        KeptForged,
        /// <summary>The stored answer is for another device, or the licence file answers another request.</summary>
        KeptForAnotherMachine,
        /// <summary>The device's clock was set back.</summary>
        ClockSetBack,
        /// <summary>The stored answer is too old.</summary>
        GraceEnded,
    }

    /// <summary>Reason that the portal gave no usable answer.</summary>
    public enum Unanswered
    {
        /// <summary>There was an answer.</summary>
        None,
        /// <summary>No connection, no response in time, or a proxy that requires a sign-in.</summary>
        Unreachable,
        /// <summary>Status 429 or 5xx.</summary>
        Busy,
        /// <summary>The response didn't come from the portal, for example from a network's sign-in page.</summary>
        Garbage,
        /// <summary>The proof wasn't genuine, or answered another request.</summary>
        Forged,
        /// <summary>Status 400: what was sent is invalid. <see cref="Decision.Faults"/> has the messages.</summary>
        Rejected,
        /// <summary>Status 401: the portal doesn't know this device's token.</summary>
        UnknownToken,
        /// <summary>The caller cancelled the request.</summary>
        Cancelled,
        /// <summary>A fault of the client or the device, which <see cref="LicenceSettings.Log"/> received.</summary>
        Failed,
    }

    /// <summary>What to offer to the user next.</summary>
    public enum Offer
    {
        /// <summary>Nothing.</summary>
        None,
        /// <summary>Activate by code or by signing in.</summary>
        Activate,
        /// <summary>Type the licence code again.</summary>
        RetypeCode,
        /// <summary>Try again.</summary>
        Retry,
        /// <summary>Move the licence from another device.</summary>
        MoveLicence,
        /// <summary>Take a seat.</summary>
        TakeSeat,
        /// <summary>Contact support.</summary>
        ContactSupport,
        /// <summary>Open the account page.</summary>
        OpenAccount,
        /// <summary>See the plans.</summary>
        SeePlans,
        /// <summary>Install the update.</summary>
        Update,
    }

    /// <summary>Whether the add-in may run, why, and what to tell the user.</summary>
    public sealed class Decision
    {
        internal static readonly IReadOnlyList<string> Nothing = new string[0];
        internal static readonly IReadOnlyDictionary<string, IReadOnlyList<string>> NoFaults = new Dictionary<string, IReadOnlyList<string>>();

        internal Decision() { }

        /// <summary>True if the add-in may run.</summary>
        public bool CanRun { get; internal set; }
        /// <summary>Why.</summary>
        public Reason Reason { get; internal set; }
        /// <summary>Result code of the answer that led to this decision, or 0.</summary>
        public int ResultCode { get; internal set; }
        /// <summary>Why there was no answer.</summary>
        public Unanswered Unanswered { get; internal set; }
        /// <summary>Time in UTC until which the add-in may run without another answer.</summary>
        public DateTime? Until { get; internal set; }
        /// <summary>Time in UTC after which to check again. <see cref="LicenceSession"/> does.</summary>
        public DateTime? CheckAfter { get; internal set; }
        /// <summary>Features the user may use, such as <c>costs</c>.</summary>
        public IReadOnlyList<string> Features { get; internal set; } = Nothing;
        /// <summary>Warnings: PAYMENT_OVERDUE, EXPIRING_SOON, CLOCK_SKEW, UPDATE_AVAILABLE. <see cref="LicenceTexts.OfWarning"/>
        /// has a text for each.</summary>
        public IReadOnlyList<string> Warnings { get; internal set; } = Nothing;
        /// <summary>Messages about what was typed, by field.</summary>
        public IReadOnlyDictionary<string, IReadOnlyList<string>> Faults { get; internal set; } = NoFaults;
        /// <summary>Text for the user. Empty if there is nothing to say.</summary>
        public string Message { get; internal set; } = "";
        /// <summary>What to offer to the user.</summary>
        public Offer Offer { get; internal set; }
        /// <summary>Last day of the licence, in UTC, or null if it has none or is unknown.</summary>
        public DateTime? LicenceExpires { get; internal set; }
        /// <summary>Product level, or null if unknown.</summary>
        public int? ProductLevel { get; internal set; }
        /// <summary>The seat, if this device has one.</summary>
        public Seat Seat { get; internal set; }
        /// <summary>What the portal wrote about a refusal, or what is wrong with a licence file.</summary>
        internal string OwnMessage { get; set; }

        /// <summary>Returns whether the user may use a feature now.</summary>
        public bool Allows(string feature)
        {
            foreach (var one in Features) if (one == feature) return CanRun;
            return false;
        }
    }

    /// <summary>A seat of a concurrent licence.</summary>
    public sealed class Seat
    {
        internal Seat(JsonObject lease)
        {
            Id = lease.Text("id");
            Expires = lease.Time("expiresAtUtc") ?? DateTime.MinValue;
            HeartbeatInterval = TimeSpan.FromMinutes(Math.Max(1, lease.Integer("heartbeatIntervalMinutes") ?? 15));
            InUse = (int)(lease.Integer("inUse") ?? 0);
            Total = (int)(lease.Integer("seats") ?? 0);
        }

        /// <summary>ID of the lease.</summary>
        public string Id { get; }
        /// <summary>Time in UTC at which the seat lapses without a heartbeat.</summary>
        public DateTime Expires { get; }
        /// <summary>Time between heartbeats.</summary>
        public TimeSpan HeartbeatInterval { get; }
        /// <summary>Seats in use when the portal answered.</summary>
        public int InUse { get; }
        /// <summary>Seats of the licence.</summary>
        public int Total { get; }
    }
}
