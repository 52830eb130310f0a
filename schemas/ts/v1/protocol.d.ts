/* Generated from schemas/boonbridge_schemas by `python -m boonbridge_schemas.generate`. Edit those instead. */

/**
 * Idempotency key, from a CSPRNG.
 */
export type CommandId = string;
/**
 * A command id, or one of the bridge's own.
 */
export type SystemId = string;
/**
 * One campaign and its log.
 */
export type TableId = string;
/**
 * A person at one table; never a name.
 */
export type UserId = string;
export type DeviceId = string;
/**
 * A character or token; dots for Foundry uuids.
 */
export type ActorId = string;
/**
 * `seq.n`: the n-th check of one commit.
 */
export type CheckId = string;
/**
 * The `seq` of the commit that asked.
 */
export type RequestId = string;
/**
 * What a Boon comes from; the stacking key.
 */
export type SourceId = string;
export type GrantId = string;
/**
 * A name in code: check, parameter, option.
 */
export type Key = string;
/**
 * A key, or nothing.
 */
export type NoKey = string;
/**
 * scheme://host[:port]
 */
export type HttpOrigin = string;
/**
 * Words of a person; shown as text, never a key, never markup.
 */
export type Label = string;
export type Name = string;
export type Note = string;
/**
 * Place in one table's log; the first commit is 1.
 */
export type Seq = number;
/**
 * Unix time in milliseconds, up to 9999-12-30.
 */
export type Moment = number;
export type Small = number;
export type Count = number;
/**
 * 32 bytes in lower-case hex.
 */
export type Hex = string;
/**
 * An exact probability n/d in lowest terms.
 */
export type Chance = string;
export type Scalar = boolean | number | string;
export type Role = "gm" | "observer" | "player";
export type Mode = "blind" | "gm" | "public" | "secret" | "self";
export type Side = "neutral" | "opposition" | "party";
export type Sign = "bane" | "boon";
export type PartName = "all" | "gm" | "roller" | "roller_gm";
export type MarkKind =
  "correction" | "critical" | "evening" | "fumble" | "gained" | "grant" | "people" | "request" | "roll" | "spent";
/**
 * What a GM may take back: one check with all its choices, one grant, condition or table move.
 */
export type DeedId = string;
export type ClientFrame =
  | Pair
  | Hello
  | Do
  | Withdraw
  | Preview
  | Foresee
  | Saw
  | Composing
  | History
  | At
  | Proof
  | Renew
  | Posted
  | People
  | MakeCode
  | DropCode;
export type Command =
  | RollCheck
  | RollDice
  | Choose
  | Act
  | SyncActor
  | RemoveActor
  | Grant
  | RevokeGrant
  | RevealGrant
  | Assist
  | AnswerAssist
  | SetCondition
  | ClearCondition
  | StartTurn
  | EndTurn
  | EndRound
  | EndCombat
  | RequestCheck
  | AnswerRequest
  | Decline
  | RollForAbsent
  | CloseRequest
  | DropOpportunity
  | StartSession
  | EndSession
  | ContinueSession
  | Void
  | Override
  | Reveal
  | Settle
  | SetOptions
  | SetTableData
  | Invite
  | RevokeAccess
  | SetRole
  | EraseName
  | RemoveOrigin
  | RenameTable;
export type ServerFrame =
  | Paired
  | Minted
  | Welcome
  | State
  | Logged
  | Hidden
  | CaughtUp
  | Ack
  | Refused
  | Previewed
  | Foreseen
  | SeenBy
  | Underway
  | Page
  | AsOf
  | Proven
  | Post
  | Presence
  | Roster
  | CodeMade
  | Bye;
export type Event =
  | TableOpened
  | LadderRestarted
  | OptionsSet
  | Withdrawn
  | Invited
  | AccessRevoked
  | OriginAdded
  | OriginRemoved
  | TableRenamed
  | RoleSet
  | NameErased
  | ActorSynced
  | NumbersSet
  | ActorRemoved
  | Granted
  | GrantRevoked
  | GrantSpent
  | GrantExpired
  | AssistOffered
  | AssistAnswered
  | ConditionSet
  | ConditionCleared
  | ConditionExpired
  | LuckDue
  | TurnStarted
  | TurnEnded
  | RoundEnded
  | CombatEnded
  | CheckRolled
  | DiceRolled
  | CheckNoted
  | TargetFixed
  | Chosen
  | Acted
  | OpportunityUsed
  | OpportunityDropped
  | CheckRequested
  | DifficultiesSet
  | RequestAnswered
  | Declined
  | RequestExpired
  | RequestClosed
  | GroupTold
  | GroupRecounted
  | SessionStarted
  | SessionEnded
  | UnsettledDropped
  | SessionContinued
  | TableDataSet
  | Voided
  | Overridden
  | Revealed
  | Settled;
export type Effect =
  | ResourceChanged
  | ConditionChanged
  | ConditionEnded
  | LockSet
  | LockCleared
  | MarkSet
  | ResistanceOffered
  | DieBought
  | ChanceGranted
  | OnCritApplied
  | DutyNoted
  | XpChanged
  | ConditionsPut
  | GrantPut
  | GrantTaken
  | ResistanceTaken
  | OpportunityPut
  | OpportunityTaken
  | AssistPut
  | RowReopened;

/**
 * Everything there is, by name: frames, commands, events, what they are made of.
 */
export interface Protocol {
  CommandId: CommandId;
  SystemId: SystemId;
  TableId: TableId;
  UserId: UserId;
  DeviceId: DeviceId;
  ActorId: ActorId;
  CheckId: CheckId;
  RequestId: RequestId;
  SourceId: SourceId;
  GrantId: GrantId;
  Key: Key;
  NoKey: NoKey;
  HttpOrigin: HttpOrigin;
  Label: Label;
  Name: Name;
  Note: Note;
  Seq: Seq;
  Moment: Moment;
  Small: Small;
  Count: Count;
  Hex: Hex;
  Chance: Chance;
  Scalar: Scalar;
  Role: Role;
  Mode: Mode;
  Side: Side;
  Sign: Sign;
  PartName: PartName;
  MarkKind: MarkKind;
  DeedId: DeedId;
  ClientFrame: ClientFrame;
  ServerFrame: ServerFrame;
  Command: Command;
  Event: Event;
  Effect: Effect;
  Pair: Pair;
  ClientInfo: ClientInfo;
  Hello: Hello;
  Position: Position;
  Do: Do;
  RollCheck: RollCheck;
  SourceClaim: SourceClaim;
  AdHoc: AdHoc;
  Numbers: Numbers;
  Number: Number;
  Attack: Attack;
  OnCrit: OnCrit;
  ConditionRef: ConditionRef;
  RollDice: RollDice;
  Choose: Choose;
  Act: Act;
  SyncActor: SyncActor;
  RemoveActor: RemoveActor;
  Grant: Grant;
  GrantSource: GrantSource;
  Scope: Scope;
  Expiry: Expiry;
  RevokeGrant: RevokeGrant;
  RevealGrant: RevealGrant;
  Assist: Assist;
  AnswerAssist: AnswerAssist;
  SetCondition: SetCondition;
  ClearCondition: ClearCondition;
  StartTurn: StartTurn;
  EndTurn: EndTurn;
  EndRound: EndRound;
  EndCombat: EndCombat;
  RequestCheck: RequestCheck;
  AskedCheck: AskedCheck;
  AnswerRequest: AnswerRequest;
  Decline: Decline;
  RollForAbsent: RollForAbsent;
  CloseRequest: CloseRequest;
  DropOpportunity: DropOpportunity;
  StartSession: StartSession;
  EndSession: EndSession;
  ContinueSession: ContinueSession;
  Void: Void;
  Override: Override;
  Reveal: Reveal;
  Settle: Settle;
  SetOptions: SetOptions;
  SetTableData: SetTableData;
  TableData: TableData;
  Ladder: Ladder;
  Step: Step;
  OwnCondition: OwnCondition;
  OwnCircumstance: OwnCircumstance;
  Amount: Amount;
  Invite: Invite;
  RevokeAccess: RevokeAccess;
  SetRole: SetRole;
  EraseName: EraseName;
  RemoveOrigin: RemoveOrigin;
  RenameTable: RenameTable;
  Withdraw: Withdraw;
  Preview: Preview;
  Foresee: Foresee;
  Saw: Saw;
  Composing: Composing;
  Attempt: Attempt;
  History: History;
  Wanted: Wanted;
  At: At;
  Proof: Proof;
  Renew: Renew;
  Posted: Posted;
  People: People;
  MakeCode: MakeCode;
  DropCode: DropCode;
  Paired: Paired;
  Minted: Minted;
  Welcome: Welcome;
  RulesetInfo: RulesetInfo;
  OptionSpec: OptionSpec;
  Option: Option;
  IdleWhen: IdleWhen;
  CheckSpec: CheckSpec;
  ParamSpec: ParamSpec;
  NumberSpec: NumberSpec;
  OutcomeWord: OutcomeWord;
  RoleWord: RoleWord;
  ConditionSpec: ConditionSpec;
  Circumstance: Circumstance;
  VerbSpec: VerbSpec;
  MarkSpec: MarkSpec;
  GroupSpec: GroupSpec;
  Limits: Limits;
  DiceSource: DiceSource;
  State: State;
  Entry: Entry;
  Logged: Logged;
  TableOpened: TableOpened;
  LadderRestarted: LadderRestarted;
  OptionsSet: OptionsSet;
  Withdrawn: Withdrawn;
  Invited: Invited;
  AccessRevoked: AccessRevoked;
  OriginAdded: OriginAdded;
  OriginRemoved: OriginRemoved;
  TableRenamed: TableRenamed;
  RoleSet: RoleSet;
  NameErased: NameErased;
  ActorSynced: ActorSynced;
  NumbersSet: NumbersSet;
  ActorRemoved: ActorRemoved;
  Granted: Granted;
  GrantRecord: GrantRecord;
  GrantRevoked: GrantRevoked;
  GrantSpent: GrantSpent;
  GrantExpired: GrantExpired;
  AssistOffered: AssistOffered;
  AssistRecord: AssistRecord;
  AssistAnswered: AssistAnswered;
  ConditionSet: ConditionSet;
  HeldCondition: HeldCondition;
  ConditionCleared: ConditionCleared;
  ConditionExpired: ConditionExpired;
  LuckDue: LuckDue;
  TurnStarted: TurnStarted;
  TurnEnded: TurnEnded;
  RoundEnded: RoundEnded;
  CombatEnded: CombatEnded;
  CheckRolled: CheckRolled;
  Rolled: Rolled;
  Source: Source;
  Result: Result;
  Die: Die;
  Extra: Extra;
  ChoiceOffer: ChoiceOffer;
  ResourceChanged: ResourceChanged;
  ConditionChanged: ConditionChanged;
  ConditionEnded: ConditionEnded;
  LockSet: LockSet;
  LockCleared: LockCleared;
  MarkSet: MarkSet;
  ResistanceOffered: ResistanceOffered;
  DieBought: DieBought;
  ChanceGranted: ChanceGranted;
  OnCritApplied: OnCritApplied;
  DutyNoted: DutyNoted;
  XpChanged: XpChanged;
  ConditionsPut: ConditionsPut;
  GrantPut: GrantPut;
  GrantTaken: GrantTaken;
  ResistanceTaken: ResistanceTaken;
  OpportunityPut: OpportunityPut;
  OpportunityRecord: OpportunityRecord;
  OpportunityTaken: OpportunityTaken;
  AssistPut: AssistPut;
  RowReopened: RowReopened;
  Odds: Odds;
  DiceRolled: DiceRolled;
  DiceTerm: DiceTerm;
  CheckNoted: CheckNoted;
  TargetFixed: TargetFixed;
  Chosen: Chosen;
  Acted: Acted;
  OpportunityUsed: OpportunityUsed;
  OpportunityDropped: OpportunityDropped;
  CheckRequested: CheckRequested;
  RequestRecord: RequestRecord;
  RequestRow: RequestRow;
  GroupResult: GroupResult;
  DifficultiesSet: DifficultiesSet;
  RequestAnswered: RequestAnswered;
  Declined: Declined;
  RequestExpired: RequestExpired;
  RequestClosed: RequestClosed;
  GroupTold: GroupTold;
  GroupRecounted: GroupRecounted;
  Left: Left;
  SessionStarted: SessionStarted;
  SessionEnded: SessionEnded;
  XpEarned: XpEarned;
  UnsettledDropped: UnsettledDropped;
  SessionContinued: SessionContinued;
  TableDataSet: TableDataSet;
  Voided: Voided;
  Overridden: Overridden;
  Revealed: Revealed;
  Settled: Settled;
  Hidden: Hidden;
  CaughtUp: CaughtUp;
  Ack: Ack;
  Refused: Refused;
  Previewed: Previewed;
  PreviewRow: PreviewRow;
  DieSpec: DieSpec;
  TotalChance: TotalChance;
  Foreseen: Foreseen;
  SeenBy: SeenBy;
  Underway: Underway;
  Page: Page;
  Marked: Marked;
  AsOf: AsOf;
  Proven: Proven;
  ProvenPart: ProvenPart;
  Post: Post;
  Presence: Presence;
  Person: Person;
  Roster: Roster;
  PersonDevices: PersonDevices;
  Device: Device;
  CodeOpen: CodeOpen;
  CodeMade: CodeMade;
  Bye: Bye;
  Header: Header;
  Part: Part;
  TableFile: TableFile;
  ExportHead: ExportHead;
  ExportViewer: ExportViewer;
  ExportCommit: ExportCommit;
  ExportTrailer: ExportTrailer;
  ExportEnd: ExportEnd;
  ActorEntry: ActorEntry;
  GrantsEntry: GrantsEntry;
  ConditionsEntry: ConditionsEntry;
  PendingCheck: PendingCheck;
  PoolEntry: PoolEntry;
  MarksEntry: MarksEntry;
  TurnEntry: TurnEntry;
  OptionsEntry: OptionsEntry;
  TableEntry: TableEntry;
  PersonEntry: PersonEntry;
  ResistanceEntry: ResistanceEntry;
  SessionEntry: SessionEntry;
}
/**
 * Exchange a one-time code for a token. The same id and code within 10 minutes give the same token.
 */
export interface Pair {
  t: "pair";
  id: CommandId;
  code: string;
  client: ClientInfo;
  name: Name;
}
/**
 * What is talking: for the log line of the server and for messages about versions.
 */
export interface ClientInfo {
  name: Name;
  version: string;
  kind: "cli" | "foundry" | "page";
}
/**
 * The first frame of a connection that has a token; within `limits.helloSeconds`.
 */
export interface Hello {
  t: "hello";
  token: string;
  table?: TableId | null;
  last?: Position | null;
  client: ClientInfo;
}
/**
 * The last commit a client holds. A hash the log does not know means: start anew.
 */
export interface Position {
  epoch: number;
  seq: Seq;
  hash: Hex;
}
/**
 * A command. `seen` is the last seq the client holds: it had the hash of every seed up to `seen + 64`.
 */
export interface Do {
  t: "do";
  id: CommandId;
  seen: Seq;
  cmd: Command;
}
/**
 * Roll one check for each actor, against each target. One commit, whatever the number.
 *
 * An actor `BASE.token.TOKEN` is an unlinked token of actor BASE; its record is made when it is first named.
 * Either `actors` or `adHoc`. `off` lists sources of the table that do not apply this time (a GM's word).
 * `spendBefore`: group Boons to spend before the dice (D-18); refused as a whole when one of them is illegal.
 * `changed`: what is different since the same action failed. `ends`: the condition that a success of this
 * luck roll ends (C-P2). `faces`: dice that lay on a real table, in the order of the rows; all of them or none.
 * `opportunities`: those of the table that this roll uses (D-21).
 * More than `limits.sourcesPerCheck` sources that apply to one check are refused by `roll.too_many_sources`.
 */
export interface RollCheck {
  t: "RollCheck";
  check: Key;
  actors?: ActorId[];
  targets?: ActorId[];
  params?: {
    [k: string]: Scalar;
  };
  action?: Label;
  mode?: Mode;
  sources?: SourceClaim[];
  off?: SourceId[];
  spendBefore?: number;
  adHoc?: AdHoc | null;
  changed?: Label;
  ends?: ConditionRef | null;
  opportunities?: CheckId[];
  faces?: Small[] | null;
}
/**
 * A Boon or Bane named by whoever rolls. `origin` tells two instances of one affliction apart.
 */
export interface SourceClaim {
  id: SourceId;
  label: Label;
  sign: Sign;
  amount?: Count;
  kind?: Key;
  origin?: Label;
}
/**
 * An actor for one roll only: no pool, no lock, no grants unless a GM gives it a side.
 */
export interface AdHoc {
  name: Name;
  numbers: Numbers;
  side?: Side;
}
/**
 * Everything a ruleset reads of an actor. At most 64 numbers and 32 attacks.
 */
export interface Numbers {
  values?: Number[];
  attacks?: Attack[];
}
/**
 * One number of an actor: a fixed key of the ruleset, or `group.slug` with the words of the table.
 */
export interface Number {
  key: Key;
  value: Small;
  label?: Label;
}
/**
 * An attack of an actor: the attribute it uses, what it is rolled against, what its criticals do.
 */
export interface Attack {
  id: Key;
  name: Name;
  attribute: Key;
  against?: Key;
  tags?: Key[];
  onCrit?: OnCrit | null;
}
/**
 * What one critical of an attack does (B-23): `amount` for each, added and never multiplied (B-21).
 */
export interface OnCrit {
  name: Name;
  amount?: Count;
}
/**
 * One condition that an actor holds: its key, and who gave it (null: nobody in particular).
 */
export interface ConditionRef {
  key: Key;
  by?: ActorId | null;
}
/**
 * Roll other dice: damage, an amount, a chance: `2d6+3`, `4d6kh3`, `1d20-1d4`. Boons do not touch them.
 *
 * `actor` may be left out: then they are the sender's. `sources` and `rule`: Boons or Banes that a specific rule
 * grants to damage, where the game has such a reading (option `damage_boons`).
 */
export interface RollDice {
  t: "RollDice";
  formula: string;
  actor?: ActorId | null;
  label?: Label;
  kind?: "damage" | "dice";
  mode?: Mode;
  sources?: SourceClaim[];
  rule?: Label;
  faces?: Small[] | null;
}
/**
 * Take a choice that a check offers. `args.note`: words with a ruling. `faces`: see `RollCheck`.
 */
export interface Choose {
  t: "Choose";
  check: CheckId;
  choice: Key;
  args?: {
    [k: string]: Scalar;
  };
  faces?: Small[] | null;
}
/**
 * Make a table move of the ruleset (one of `welcome.ruleset.verbs`).
 */
export interface Act {
  t: "Act";
  verb: Key;
  args?: {
    [k: string]: Scalar;
  };
}
/**
 * Create an actor or bring its name, side, owners and numbers up to date. Fields left out stay as they are.
 */
export interface SyncActor {
  t: "SyncActor";
  actor: ActorId;
  name?: Name;
  side?: Side;
  owners?: UserId[];
  numbers?: Numbers;
}
/**
 * Forget an actor with its grants and conditions, and its unlinked tokens. Its rolls stay in the log.
 */
export interface RemoveActor {
  t: "RemoveActor";
  actor: ActorId;
}
/**
 * Give actors a Boon or a Bane with a reason. The same one again changes nothing.
 *
 * `hidden`: only GMs know of it, and it counts on rolls that nobody else reads.
 */
export interface Grant {
  t: "Grant";
  actors: ActorId[];
  sign: Sign;
  source: GrantSource;
  amount?: number;
  scope?: Scope;
  expiry?: Expiry;
  note?: Note;
  hidden?: boolean;
}
/**
 * Where it comes from. `id` is the stacking key of the rules, `label` what people read.
 */
export interface GrantSource {
  id: SourceId;
  label: Name;
  kind?: Key;
  origin?: Label;
}
/**
 * Which rolls it applies to: the bearer's own, or rolls against the bearer. An empty list means any.
 *
 * `reach`: `roll` covers the whole roll, `target` each target by itself.
 */
export interface Scope {
  side?: "against" | "own";
  attributes?: Key[];
  checks?: Key[];
  tags?: Key[];
  targets?: ActorId[];
  unlessTargets?: ActorId[];
  action?: Label;
  reach?: "roll" | "target";
}
/**
 * When it ends. `actor` names whose turn, for the two turn clocks.
 */
export interface Expiry {
  when?:
    "combat_end" | "next_roll" | "next_roll_against" | "none" | "round_end" | "session_end" | "turn_end" | "turn_start";
  actor?: ActorId | null;
}
/**
 * Take a grant back, by its id.
 */
export interface RevokeGrant {
  t: "RevokeGrant";
  grant: GrantId;
}
/**
 * Show everybody a grant that only GMs knew of; from then on it counts like any other.
 */
export interface RevealGrant {
  t: "RevealGrant";
  grant: GrantId;
}
/**
 * Help another's next roll, or his roll of that `action`, with one Boon (option `assist`).
 *
 * By the option at once, or when the GM agrees (`AnswerAssist`). `helper`: one of the sender's own actors. `check`: only
 * a roll of that check, where what is helped has no name.
 */
export interface Assist {
  t: "Assist";
  actor: ActorId;
  helper: ActorId;
  action?: Label;
  check?: Key | null;
  note?: Note;
}
/**
 * Agree to help that was offered, or not. A player may only take back what he offered himself.
 */
export interface AnswerAssist {
  t: "AnswerAssist";
  assist: GrantId;
  accept: boolean;
}
/**
 * Give actors a condition of the ruleset, or another amount of it. What stands already changes nothing.
 *
 * `condition` of a kind that is about one thing names it behind a dot (`impaired.strength`). `add`: `amount` is
 * added to what the actor has of it from the same giver, and may be less than zero; at zero it is gone. `by`: the
 * actor who gave it, where that matters (B-11).
 */
export interface SetCondition {
  t: "SetCondition";
  actors: ActorId[];
  condition: Key;
  amount?: Small;
  add?: boolean;
  by?: ActorId | null;
  expiry?: Expiry;
  luckEnds?: boolean;
  note?: Note;
}
/**
 * Take a condition from an actor: the one that `by` gave (null: nobody in particular).
 */
export interface ClearCondition {
  t: "ClearCondition";
  actor: ActorId;
  condition: Key;
  by?: ActorId | null;
}
/**
 * The turn (activation) of an actor begins; what lasted until then ends in the same commit.
 *
 * `combat`, `round` and `turn` are a tracker's: the same again, or one that is past, changes nothing. Left out:
 * the bridge counts for itself.
 */
export interface StartTurn {
  t: "StartTurn";
  actor: ActorId;
  combat?: string | null;
  round?: Count | null;
  turn?: Count | null;
}
/**
 * The turn of an actor ends. What is open on his checks takes its default.
 *
 * Where that is a choice of a player who is here, a GM is asked first (`turn.choice_open`) and sends `confirm`.
 * `present` is filled in by the bridge.
 */
export interface EndTurn {
  t: "EndTurn";
  actor: ActorId;
  combat?: string | null;
  round?: Count | null;
  turn?: Count | null;
  confirm?: boolean;
  present?: UserId[];
}
/**
 * A round ends. `present` is filled in by the bridge: luck rolls of who is not here are rolled at once (C-P2).
 */
export interface EndRound {
  t: "EndRound";
  combat?: string | null;
  round?: Count | null;
  turn?: Count | null;
  present?: UserId[];
}
/**
 * A fight ends, and with it everything that was to last for turns, rounds or the fight.
 */
export interface EndCombat {
  t: "EndCombat";
  combat?: string | null;
  round?: Count | null;
  turn?: Count | null;
}
/**
 * Ask several actors for a check: one of `checks`, each with its own difficulty. Left out, `actors` are the party.
 *
 * `shown`: players may know the difficulties. `mode`: how openly it is rolled; a roller may be more secret, never less.
 * `group` and `difficulty`: see `RulesetInfo.groups`. `sources`: Boons and Banes for every roll; a request fixes them.
 * `target`: whom it is rolled against. `minutes`: until it expires; null: until everybody has answered.
 */
export interface RequestCheck {
  t: "RequestCheck";
  actors?: ActorId[];
  checks: AskedCheck[];
  action?: Label;
  mode?: Mode;
  group?: Key;
  difficulty?: Small | null;
  shown?: boolean;
  sources?: SourceClaim[];
  target?: ActorId | null;
  minutes?: number | null;
  note?: Note;
}
/**
 * One of the checks that may answer a request. A parameter left out is its roller's to fill in, but for a difficulty.
 */
export interface AskedCheck {
  check: Key;
  params?: {
    [k: string]: Scalar;
  };
  label?: Label;
}
/**
 * Roll what a request asks of an actor, with the `nth` of its checks. `params`: those that the request left open.
 */
export interface AnswerRequest {
  t: "AnswerRequest";
  request: RequestId;
  actor: ActorId;
  nth?: number;
  params?: {
    [k: string]: Scalar;
  };
  mode?: Mode;
  spendBefore?: number;
  changed?: Label;
  opportunities?: CheckId[];
  faces?: Small[] | null;
}
/**
 * An actor does not roll for a request; he does not count in what it comes to.
 */
export interface Decline {
  t: "Decline";
  request: RequestId;
  actor: ActorId;
}
/**
 * Roll for those who have not answered (or for some of them), all at once; marked as rolled by a GM.
 */
export interface RollForAbsent {
  t: "RollForAbsent";
  request: RequestId;
  actors?: ActorId[];
  nth?: number;
  params?: {
    [k: string]: Scalar;
  };
}
/**
 * End a request: who has not answered does not any more, what is open on its rolls takes its default.
 */
export interface CloseRequest {
  t: "CloseRequest";
  request: RequestId;
}
/**
 * An opportunity that nobody used has passed.
 */
export interface DropOpportunity {
  t: "DropOpportunity";
  opportunity: CheckId;
}
/**
 * An evening begins. The group starts it with no Boons (D-16).
 */
export interface StartSession {
  t: "StartSession";
  name?: Label;
}
/**
 * The evening ends: requests close, choices take their defaults, and what was to last until now is over.
 *
 * `actors`: who gets the experience it earned (D-28); left out: the whole party.
 */
export interface EndSession {
  t: "EndSession";
  actors?: ActorId[];
}
/**
 * It is still the same evening, whatever the clock says.
 */
export interface ContinueSession {
  t: "ContinueSession";
}
/**
 * Take back a check with all its choices, a grant, a condition or a table move, as far as it is still there to take.
 *
 * Where something of it was used since, it is refused (`correction.used`) until `confirm` says that this was seen.
 */
export interface Void {
  t: "Void";
  what: DeedId;
  reason?: Note;
  confirm?: boolean;
}
/**
 * Decide otherwise what a check came to. Its dice, and what was paid for them, stay. `confirm`: see `Void`.
 */
export interface Override {
  t: "Override";
  check: CheckId;
  outcome: Key;
  reason?: Note;
  confirm?: boolean;
}
/**
 * Show everybody a check that not everybody saw; what it does to the table happens now, if it has not yet.
 */
export interface Reveal {
  t: "Reveal";
  check: CheckId;
}
/**
 * Let a hidden check do to the table what it does, without showing it.
 */
export interface Settle {
  t: "Settle";
  check: CheckId;
}
/**
 * Choose readings of the rules for this table, from now on. Only the options named change.
 */
export interface SetOptions {
  t: "SetOptions";
  options: {
    [k: string]: boolean | number | string | null;
  };
}
/**
 * Edit what the table may edit, all of it at once; null: the game's own again. `options`: see `SetOptions`.
 */
export interface SetTableData {
  t: "SetTableData";
  data?: TableData | null;
  options?: {
    [k: string]: boolean | number | string | null;
  };
}
/**
 * Everything of it, for one ruleset. Which parts a game has follows from its defaults (`RulesetInfo.data`).
 *
 * `rankDice`: sides of the Rank Die, from Rank 1. `levelStep`: so many above the difficulty are one success level
 * more. `xpPerLevel`: a skill's next level costs that times the new level.
 */
export interface TableData {
  ruleset: Key;
  ladders?: Ladder[];
  conditions?: OwnCondition[];
  circumstances?: OwnCircumstance[];
  amounts?: Amount[];
  onCrits?: OnCrit[];
  rankDice?: number[];
  levelStep?: number | null;
  xpPerLevel?: number | null;
}
/**
 * Named difficulties for one parameter (`tn`, `dc`, `difficulty`), or for a kind of group check (`challenge`).
 */
export interface Ladder {
  key: Key;
  steps?: Step[];
}
/**
 * A named value of a ladder. `proposed`: our own where the rules' table is missing.
 */
export interface Step {
  value: number;
  label: Label;
  proposed?: boolean;
}
/**
 * A condition that the table made up. `own`: Boons (or, below zero, Banes) on its bearer's rolls, each time it is held.
 *
 * `against`: the same on rolls against its bearer. `checks` and `attributes` narrow both down; empty means any.
 * `implies`: whoever has it has those of the table's conditions, too.
 */
export interface OwnCondition {
  key: Key;
  label: Label;
  tone?: "bad" | "good" | "plain";
  counted?: boolean;
  own?: number;
  against?: number;
  checks?: Key[];
  attributes?: Key[];
  implies?: Key[];
  help?: Note;
}
/**
 * A ready-made reason for a Boon or a Bane, as the palettes list it. `proposed`: our wording, not the rules'.
 */
export interface OwnCircumstance {
  id: Key;
  label: Label;
  sign: Sign;
  kind?: Key;
  example?: Note;
  proposed?: boolean;
}
/**
 * How much something of the game's own counts, where its rules leave it open (`hidden`, `stunned.against`).
 */
export interface Amount {
  key: Key;
  value: number;
  label?: Label;
  proposed?: boolean;
}
/**
 * Give a person a token for this table. The token comes back on the asking connection only (`minted`).
 *
 * `device`: left out, one that follows from the command id, so that each token can be taken back by itself.
 */
export interface Invite {
  t: "Invite";
  user: UserId;
  name: Name;
  role?: Role;
  device?: DeviceId | null;
  origin?: HttpOrigin | null;
}
/**
 * Refuse every token of a person (or of one device) that was issued before now, at once.
 */
export interface RevokeAccess {
  t: "RevokeAccess";
  user: UserId;
  device?: DeviceId | null;
}
/**
 * Change what a person may do at this table, at once, on open connections too.
 */
export interface SetRole {
  t: "SetRole";
  user: UserId;
  role: Role;
}
/**
 * Forget what a person is called, and what is known of his devices. The log never had it; his user id stays there.
 */
export interface EraseName {
  t: "EraseName";
  user: UserId;
}
/**
 * Pages of this origin may not connect any more, unless their token was made for it.
 */
export interface RemoveOrigin {
  t: "RemoveOrigin";
  origin: HttpOrigin;
}
/**
 * Call the table something else. Its id stays.
 */
export interface RenameTable {
  t: "RenameTable";
  title: Name;
}
/**
 * Did it happen? Answered with the `ack` of `id`; otherwise the id is taken so that it never will.
 */
export interface Withdraw {
  t: "withdraw";
  id: CommandId;
}
/**
 * What would apply and with what chance. Nothing is logged and no die is drawn.
 */
export interface Preview {
  t: "preview";
  id: CommandId;
  check: RollCheck | AnswerRequest;
}
/**
 * What a command would come to. Nothing is logged and no die is drawn: one that rolls is refused (feature `foresee`).
 */
export interface Foresee {
  t: "foresee";
  id: CommandId;
  cmd: Command;
}
/**
 * This person has a request before his eyes (feature `requests`). Not answered, not kept.
 */
export interface Saw {
  t: "saw";
  request: RequestId;
}
/**
 * This person is putting a public roll of his actor together; null: not any more (feature `composing`).
 *
 * Not answered, not kept. Said again at least every `limits.composingSeconds`, at most `limits.composingPerSecond` times
 * a second, and never of a roll that is to be hidden.
 */
export interface Composing {
  t: "composing";
  on: Attempt | null;
}
/**
 * A roll that is being put together: whose, which check, and what is attempted. No number and no die of it.
 */
export interface Attempt {
  actor: ActorId;
  check: Key;
  action?: Label;
}
/**
 * Commits as this viewer may see them, newest last: the `limit` before `before`, or after `after`.
 *
 * `where`: only such commits, each with its marks; the answer says how far was `looked` (feature `replay`).
 */
export interface History {
  t: "history";
  id: CommandId;
  before?: Seq | null;
  after?: Seq | null;
  limit?: number;
  where?: Wanted | null;
}
/**
 * Which commits are looked for: with one of these marks (any, where none is named), about this actor, by this person.
 */
export interface Wanted {
  marks?: MarkKind[];
  actor?: ActorId | null;
  user?: UserId | null;
}
/**
 * How the table stood after commit `seq`, for this viewer; answered by `asOf` (feature `replay`).
 *
 * `after`: go on behind this key, where an answer said that there is more.
 */
export interface At {
  t: "at";
  id: CommandId;
  seq: Seq;
  after?: string | null;
}
/**
 * The bytes, salts and seeds of one commit that this viewer may read, and bare hashes of the rest.
 */
export interface Proof {
  t: "proof";
  id: CommandId;
  seq: number;
}
/**
 * A fresh token for its own holder, from half of its life on.
 */
export interface Renew {
  t: "renew";
  id: CommandId;
}
/**
 * The answer to `post`, with its `from` and `to`: the cards stand in the chat (feature `post`).
 *
 * `messageId` is the chat's own id of the last of them; null where there was nothing left to post.
 */
export interface Posted {
  t: "posted";
  from: Seq;
  to: Seq;
  messageId?: string | null;
}
/**
 * Who may take part, with which devices, and which codes are open; for GMs. Answered by `roster`.
 */
export interface People {
  t: "people";
  id: CommandId;
}
/**
 * A one-time code that lets a person in. Answered by `codeMade`, to the asking connection alone.
 *
 * `user`: a person of the table, for another device; left out: somebody new, called `name`, with `role`. Only GMs make
 * codes for others; everybody makes them for himself. `kind`: `typed` is short and lasts minutes, `link` is
 * long and lasts `hours`. `page`: the address of the table page, for a link that opens with the code in it.
 */
export interface MakeCode {
  t: "makeCode";
  id: CommandId;
  kind: "link" | "typed";
  user?: UserId | null;
  name?: Name | null;
  role?: Role;
  hours?: number;
  page?: string | null;
}
/**
 * Take a code back that nobody used yet; for GMs. Answered by `roster`.
 */
export interface DropCode {
  t: "dropCode";
  id: CommandId;
  /**
   * A code that is open, without the code.
   */
  code: string;
}
/**
 * The answer to `pair`: to the asking connection alone.
 */
export interface Paired {
  t: "paired";
  id: CommandId;
  token: string;
  table: TableId;
  user: UserId;
  role: Role;
  expiresAt: Moment;
}
/**
 * The answer to `renew` and `Invite`: to the asking connection alone.
 */
export interface Minted {
  t: "minted";
  id: CommandId;
  token: string;
  table: TableId;
  user: UserId;
  role: Role;
  expiresAt: Moment;
}
/**
 * `from` is null: drop everything held, `state` follows, `reset` says why. Otherwise frames follow after it.
 *
 * `bridge` is its version; `update` the side that is older, where that may matter.
 */
export interface Welcome {
  t: "welcome";
  table: TableId;
  title: Name;
  user: UserId;
  name: Name;
  role: Role;
  epoch: number;
  head: Seq;
  headHash: Hex;
  from?: Seq | null;
  reset?: Key | null;
  ruleset: RulesetInfo;
  features?: Key[];
  limits: Limits;
  addresses?: string[];
  seedHashes?: Hex[];
  expiresAt: Moment;
  bridge: string;
  update?: ("bridge" | "client") | null;
  dice?: DiceSource | null;
}
/**
 * Everything a client needs to know of a game.
 *
 * `changes`: what may have changed since an action failed, in a few ready words. `assist`: others help with a
 * Boon (`Assist`). `luck`: the check that may end a condition as a round ends (`RollCheck.ends`); null: none does.
 * `groups`: how the rolls of a request belong together. `xp`: a session earns experience. `data`: what the table may
 * edit, as it stands; `edited`: it is not the game's own any more, which is in `usual`. `partyRefuses`: the modes
 * with which no check of the party's is rolled. `helpCheck`: the check by which one helps, where a Boon is no help.
 */
export interface RulesetInfo {
  id: Key;
  title: Name;
  version: number;
  summary: Note;
  options: {
    [k: string]: boolean | number | string | null;
  };
  optionSpecs: OptionSpec[];
  checks: CheckSpec[];
  numbers: NumberSpec[];
  outcomes: OutcomeWord[];
  roles: RoleWord[];
  words?: {
    [k: string]: Label;
  };
  conditions?: ConditionSpec[];
  circumstances?: Circumstance[];
  verbs?: VerbSpec[];
  marks?: MarkSpec[];
  changes?: Label[];
  assist?: boolean;
  groups?: GroupSpec[];
  xp?: boolean;
  data?: TableData | null;
  edited?: boolean;
  usual?: TableData | null;
  luck?: Key | null;
  attacks?: boolean;
  attackAttributes?: Key | null;
  attacksAgainst?: Key[];
  partyRefuses?: Mode[];
  helpCheck?: Key | null;
}
/**
 * A named reading of the rules. Either one of `values` or an integer from `min` to `max`.
 *
 * `help` says in a sentence what it decides, `example` what that means at the table. `rare`: seldom changed, so
 * clients fold it away. `ours`: the sources do not speak of it. `idle`: it decides nothing while another option stands so.
 */
export interface OptionSpec {
  key: Key;
  label: Name;
  default: boolean | number | string | null;
  values?: Option[];
  min?: Small | null;
  max?: Small | null;
  rules?: Label[];
  help?: Note;
  example?: Note;
  rare?: boolean;
  ours?: boolean;
  idle?: IdleWhen[];
}
/**
 * One value of a list, with its word. `proposed`: our own value where the rules' table is missing.
 */
export interface Option {
  value: boolean | number | string | null;
  label: Label;
  proposed?: boolean;
}
/**
 * Another option's value with which an option decides nothing.
 */
export interface IdleWhen {
  option: Key;
  value: boolean | number | string | null;
}
/**
 * A kind of check. `targets`: `none`, or `optional`/`required` where it is rolled against somebody.
 *
 * `asked`: only as the answer to a request.
 */
export interface CheckSpec {
  key: Key;
  label: Name;
  params: ParamSpec[];
  tags?: Key[];
  targets?: "none" | "optional" | "required";
  spendBefore?: boolean;
  asked?: boolean;
  help?: Note;
}
/**
 * A parameter of a check.
 *
 * kind: `integer` (a number, maybe with a `ladder` of named values), `die` (one of `choices`), `number`
 * (the key of one of the actor's numbers, from `group` or `choices`), `attack` (the id of one of the actor's
 * attacks), `actor` (an actor's id), `flag`, `choice`, `text` (words). A parameter without a default is required.
 * `difficulty`: it is the number to reach, so the table's rule on who sets difficulties applies. `ofTarget`: the
 * `number` is one of the target's, not of the roller's.
 */
export interface ParamSpec {
  key: Key;
  label: Label;
  kind: "actor" | "attack" | "choice" | "die" | "flag" | "integer" | "number" | "text";
  min?: Small | null;
  max?: Small | null;
  default?: boolean | number | string | null;
  required?: boolean;
  choices?: Option[];
  ladder?: Option[];
  group?: Key | null;
  difficulty?: boolean;
  ofTarget?: boolean;
  help?: Note;
}
/**
 * A number of an actor that the form asks for. `group`: any number of entries `key.slug` with own words.
 */
export interface NumberSpec {
  key: Key;
  label: Name;
  kind?: "die" | "integer";
  group?: boolean;
  min?: Small;
  max?: Small;
  default?: Small | null;
  choices?: Option[];
  suggestions?: Label[];
  help?: Note;
}
/**
 * How an outcome is called and how it feels; `tone` chooses colour and icon of the verdict.
 */
export interface OutcomeWord {
  key: Key;
  label: Name;
  tone: "critical" | "failure" | "plain" | "success" | "worst";
}
/**
 * What a die in this game is called under its face.
 */
export interface RoleWord {
  key: Key;
  label: Label;
  sign?: Sign | null;
}
/**
 * A named state of an actor. `counted`: it has an amount. `giver`: it matters who gave it.
 *
 * `of`: it is about one of these and is set as `key.of` (`impaired.strength`). `luck`: whether a luck roll at the
 * end of the round may end it: where whoever sets it says so (`may`), or `always`. `ours`: the table's own.
 */
export interface ConditionSpec {
  key: Key;
  label: Name;
  counted?: boolean;
  tone?: "bad" | "good" | "plain";
  giver?: boolean;
  of?: Option[];
  luck?: "always" | "may" | "never";
  ours?: boolean;
  help?: Note;
}
/**
 * A ready-made reason for a Boon or a Bane. `proposed`: our wording, not the rules'.
 */
export interface Circumstance {
  id: Key;
  label: Name;
  sign: Sign;
  kind?: Key;
  example?: Note;
  proposed?: boolean;
}
/**
 * A table move of this game (`Act`). `who` `player`: GMs and players; an actor it names is then his own.
 *
 * `needs`: public switches that have to stand so; while they do not there is nothing to offer.
 */
export interface VerbSpec {
  key: Key;
  label: Name;
  params?: ParamSpec[];
  who?: "gm" | "player";
  needs?: {
    [k: string]: Scalar;
  };
  help?: Note;
}
/**
 * A public switch of the encounter, in words: what it is called, each value, and what it reminds of.
 */
export interface MarkSpec {
  key: Key;
  label: Name;
  values: Option[];
  help?: Note;
}
/**
 * How the rolls of a request may belong together. `checks`: the kinds of check it takes; empty: any that is not `asked`.
 *
 * `difficulty`: the group has a number of its own to reach; with `perMember` its ladder is for each member.
 * `ours`: not from the sources.
 */
export interface GroupSpec {
  key: Key;
  label: Name;
  checks?: Key[];
  difficulty?: ParamSpec | null;
  perMember?: boolean;
  ours?: boolean;
  help?: Note;
}
/**
 * Every limit of the wire in one place. Times in seconds, sizes in bytes, rates per second.
 */
export interface Limits {
  frameIn?: number;
  frameOut?: number;
  pageCommits?: number;
  pageBytes?: number;
  catchup?: number;
  helloSeconds?: number;
  commandsPerSecond?: number;
  commandsBurst?: number;
  commandWaitSeconds?: number;
  previewsPerSecond?: number;
  historyPerSecond?: number;
  hellosPerMinute?: number;
  hellosBurst?: number;
  wrongCodesPerMinute?: number;
  wrongCodesBurst?: number;
  connectionsPerAddress?: number;
  peoplePerAddress?: number;
  outboxFrames?: number;
  dicePerCheck?: number;
  dicePerCommand?: number;
  actorsPerCheck?: number;
  targetsPerCheck?: number;
  sourcesPerCheck?: number;
  grantsPerActor?: number;
  conditionsPerActor?: number;
  assistsPerActor?: number;
  label?: number;
  note?: number;
  actors?: number;
  people?: number;
  pingSeconds?: number;
  seedsAhead?: number;
  postSeconds?: number;
  cardsApart?: number;
  openRequests?: number;
  openCodes?: number;
  devicesPerPerson?: number;
  composingPerSecond?: number;
  composingSeconds?: number;
  dataEntries?: number;
  dataBytes?: number;
}
/**
 * Where a table's dice come from: `promised` before they fall, or `taped`, written down beforehand, as tests do it.
 *
 * Promised ones are one series from commit `since` on. `reason`: why it began there, as `LadderRestarted` has it; null
 * where the table began with it.
 */
export interface DiceSource {
  kind: "promised" | "taped";
  since?: Seq;
  reason?: Key | null;
}
/**
 * Entries of the table as this viewer sees it: all of them until `caughtUp`, later some that a commit changes.
 *
 * Live they come before their `logged`, where they would not fit into its frame; a value of null is gone.
 */
export interface State {
  t: "state";
  entries: Entry[];
}
/**
 * One entry of the table's state as this viewer sees it. `null`: it is gone.
 *
 * Keys: `options`, `person/USER`, `actor/ID`, `grants/ACTOR`, `conditions/ACTOR`, `check/ID`, and the
 * ruleset's own (`pool`); `session`, `request/ID`, `opportunity/ID`, `resistance/ACTOR`, and `ruleset` where the
 * table edited its data. Values: `OptionsEntry`, `PersonEntry`, `ActorEntry`, `GrantsEntry`,
 * `ConditionsEntry`, `PendingCheck`, `PoolEntry`.
 */
export interface Entry {
  key: string;
  value: unknown;
}
/**
 * The parts of one commit that this viewer may read, and the entries of his state that it changed.
 *
 * `id` and `by` come with any readable part; `seeds` has the seed of each readable part that is not empty;
 * `seedHash` is the promise for commit `seq + 64`.
 */
export interface Logged {
  t: "logged";
  seq: Seq;
  at: Moment;
  hash: Hex;
  seedHash: Hex;
  by?: UserId | null;
  id?: SystemId | null;
  events?: Event[];
  changes?: Entry[];
  seeds?: {
    [k: string]: Hex;
  };
  catchup?: boolean;
}
/**
 * The first commit. `seedHashes` promise the seeds of the 64 commits that follow.
 */
export interface TableOpened {
  t: "TableOpened";
  title: Name;
  ruleset: Key;
  seedHashes: Hex[];
  taped?: boolean;
}
/**
 * A new epoch with a new key begins; seeds shown before are never served again.
 *
 * `reason`: `log_cut` the log was shorter than it had been; `restored` a backup was put back; `imported` the commits
 * before were written elsewhere, where the table may have had another id.
 */
export interface LadderRestarted {
  t: "LadderRestarted";
  epoch: number;
  reason: Key;
  seedHashes: Hex[];
}
/**
 * Readings of the rules chosen for this table, from now on.
 */
export interface OptionsSet {
  t: "OptionsSet";
  options: {
    [k: string]: boolean | number | string | null;
  };
}
/**
 * Its sender gave this command id up before it was decided; a late copy of it is refused.
 */
export interface Withdrawn {
  t: "Withdrawn";
  command: SystemId;
}
/**
 * A person may take part. Names live beside the log.
 */
export interface Invited {
  t: "Invited";
  user: UserId;
  role: Role;
  device?: DeviceId;
}
/**
 * Tokens of this person (or device) issued before this commit are refused.
 */
export interface AccessRevoked {
  t: "AccessRevoked";
  user: UserId;
  device?: DeviceId | null;
}
/**
 * Pages of this origin may connect.
 */
export interface OriginAdded {
  t: "OriginAdded";
  origin: HttpOrigin;
}
/**
 * Pages of this origin may not connect any more, unless their token was made for it.
 */
export interface OriginRemoved {
  t: "OriginRemoved";
  origin: HttpOrigin;
}
/**
 * What the table is called from now on.
 */
export interface TableRenamed {
  t: "TableRenamed";
  title: Name;
}
/**
 * What a person may do at this table from now on.
 */
export interface RoleSet {
  t: "RoleSet";
  user: UserId;
  role: Role;
}
/**
 * What this person is called, and his devices, are forgotten. Neither was ever in the log.
 */
export interface NameErased {
  t: "NameErased";
  user: UserId;
}
/**
 * Name, side and owners of an actor; public.
 */
export interface ActorSynced {
  t: "ActorSynced";
  actor: ActorId;
  name: Name;
  side: Side;
  owners: UserId[];
}
/**
 * Numbers and attacks of an actor: in part `all` for the party and for what a player owns, else for GMs.
 */
export interface NumbersSet {
  t: "NumbersSet";
  actor: ActorId;
  numbers: Numbers;
}
/**
 * An actor left the table. `checks`: what was still open on its rolls, and is not any more.
 */
export interface ActorRemoved {
  t: "ActorRemoved";
  actor: ActorId;
  checks?: CheckId[];
}
/**
 * A Boon or a Bane stands on an actor from now on.
 */
export interface Granted {
  t: "Granted";
  grant: GrantRecord;
}
/**
 * A grant as it stands in the state and in the log.
 *
 * `hidden`: only GMs know of it, and it counts on rolls that nobody else reads.
 */
export interface GrantRecord {
  id: GrantId;
  actor: ActorId;
  sign: Sign;
  amount: Count;
  source: GrantSource;
  scope: Scope;
  expiry: Expiry;
  by: UserId;
  note?: Note;
  hidden?: boolean;
}
/**
 * A Boon or a Bane was taken back.
 */
export interface GrantRevoked {
  t: "GrantRevoked";
  actor: ActorId;
  grant: GrantId;
}
/**
 * A one-use grant went with the first logged roll in its scope, counted or not (B-14: hit or miss).
 */
export interface GrantSpent {
  t: "GrantSpent";
  actor: ActorId;
  grant: GrantId;
  check: CheckId;
}
/**
 * A Boon or a Bane ended by its clock. `why`: the clock, or `actor_removed` where whose turn it was is gone.
 */
export interface GrantExpired {
  t: "GrantExpired";
  actor: ActorId;
  grant: GrantId;
  why: Key;
}
/**
 * Help was offered; it waits for the GM.
 */
export interface AssistOffered {
  t: "AssistOffered";
  assist: AssistRecord;
}
/**
 * `assist/ID`: help that somebody offers and the GM has not answered yet.
 *
 * An empty `action`: with whatever comes next, or with the next `check` of that key.
 */
export interface AssistRecord {
  id: GrantId;
  actor: ActorId;
  helper: ActorId;
  action?: Label;
  check?: Key | null;
  by: UserId;
  note?: Note;
}
/**
 * Help that was offered does not wait any more. Where it was accepted, a `Granted` follows.
 *
 * `check`: the roll it was for went without it.
 */
export interface AssistAnswered {
  t: "AssistAnswered";
  assist: GrantId;
  accepted: boolean;
  check?: CheckId | null;
}
/**
 * An actor has this condition now, as given: it replaces what the actor had of it from the same giver.
 *
 * `added`: so much was added to what there was, or taken from it.
 */
export interface ConditionSet {
  t: "ConditionSet";
  actor: ActorId;
  condition: HeldCondition;
  added?: Small | null;
}
/**
 * A condition of an actor. `by` and `bySide` say who gave it, where that matters (B-11).
 *
 * `key`: the ruleset's, with what it is about behind a dot where it is about one thing (`impaired.strength`).
 * `fumbled`: so many of `amount` came from fumbles and end by themselves, at `until`; of these `begun` were
 * there when their bearer's activation began (B-26). `luckEnds`: a luck roll at the end of the round ends it;
 * `luckDue`: that roll is its player's to make now (C-P2).
 */
export interface HeldCondition {
  key: Key;
  amount?: Count;
  by?: ActorId | null;
  bySide?: Key | null;
  fumbled?: Count;
  begun?: Count;
  until?: Key | null;
  expiry?: Expiry;
  luckEnds?: boolean;
  luckDue?: boolean;
  note?: Note;
}
/**
 * An actor no longer has this condition from `by` (null: the one that nobody in particular gave).
 */
export interface ConditionCleared {
  t: "ConditionCleared";
  actor: ActorId;
  key: Key;
  by?: ActorId | null;
}
/**
 * `amount` of a condition ended by its clock, `now` are left.
 */
export interface ConditionExpired {
  t: "ConditionExpired";
  actor: ActorId;
  key: Key;
  by?: ActorId | null;
  amount: Count;
  now: Count;
  why: Key;
}
/**
 * A player who is here may try to end this condition by a luck roll, until the next round ends (C-P2).
 */
export interface LuckDue {
  t: "LuckDue";
  actor: ActorId;
  key: Key;
  by?: ActorId | null;
}
/**
 * The turn of an actor began. What ended with it follows in the same commit.
 */
export interface TurnStarted {
  t: "TurnStarted";
  /**
   * A fight, as a tracker calls it.
   */
  combat: string;
  round: Count;
  turn: Count;
  actor: ActorId;
}
/**
 * The turn of an actor ended. What ended with it follows in the same commit.
 */
export interface TurnEnded {
  t: "TurnEnded";
  /**
   * A fight, as a tracker calls it.
   */
  combat: string;
  round: Count;
  turn: Count;
  actor: ActorId;
}
/**
 * A round ended. What ended with it, and luck rolls that nobody had to click, follow in the same commit.
 */
export interface RoundEnded {
  t: "RoundEnded";
  /**
   * A fight, as a tracker calls it.
   */
  combat: string;
  round: Count;
}
/**
 * A fight ended. What ended with it follows in the same commit.
 */
export interface CombatEnded {
  t: "CombatEnded";
  /**
   * A fight, as a tracker calls it.
   */
  combat: string;
}
/**
 * One check of one actor against at most one target, complete: every die, every source, every effect.
 *
 * `deferred`: the check was not public, so `effects` have changed nothing yet.
 * `odds` are absent where they would tell a hidden target; then `TargetFixed` has them.
 */
export interface CheckRolled {
  t: "CheckRolled";
  rolled: Rolled;
  mode: Mode;
  sources: Source[];
  result: Result;
  choices?: ChoiceOffer[];
  effects?: Effect[];
  odds?: Odds | null;
  deferred?: boolean;
}
/**
 * What was attempted, in the words and numbers that stood when it was rolled.
 *
 * `params` holds every parameter of the check with its value; `playerSet` lists those a player set himself.
 * `target` is absent when it may not be shown here (then a `TargetFixed` in the GM's part has it).
 * `changed`: what is different since the same action failed; `again`: it was tried again with nothing
 * declared. `manual`: the dice lay on a real table and were typed in. `ends`: the condition that a success ends;
 * `auto`: the end of the round rolled it, nobody clicked. `request` and `group`: it answered a request, and how its
 * rolls belong together; `absent`: a GM rolled for an actor whose player did not.
 */
export interface Rolled {
  check: CheckId;
  actor: ActorId;
  name: Name;
  kind: Key;
  params: {
    [k: string]: Scalar;
  };
  action?: Label;
  side?: Side;
  opponent?: ActorId | null;
  opponentName?: Label;
  target?: Small | null;
  playerSet?: Key[];
  adHoc?: boolean;
  changed?: Label;
  again?: boolean;
  manual?: boolean;
  ends?: ConditionRef | null;
  auto?: boolean;
  request?: RequestId | null;
  group?: NoKey;
  absent?: boolean;
}
/**
 * One line of the account: what was looked at, whether it counted, and why.
 *
 * `why` is a key worded by the client (`counts`, `cancels`, `same_source`, `one_at_most`,
 * `open_rolls_only`, `not_this_check`, ...); `grant` names the grant it comes from, `by` who set it
 * (`player` only where a player did and the table marks that). `hidden`: it stands for a grant that only GMs know of.
 */
export interface Source {
  id: SourceId;
  label: Label;
  sign: Sign;
  amount: Count;
  counted: boolean;
  why: Key;
  applies?: boolean;
  kind?: Key;
  origin?: Label;
  grant?: GrantId | null;
  byPlayer?: boolean;
  hidden?: boolean;
}
/**
 * What the dice said. `total` is what is compared; `bonus` what was added to the kept dice.
 */
export interface Result {
  dice: Die[];
  net: Small;
  boons: Count;
  banes: Count;
  bonus: Small;
  total: Small;
  outcome: Key;
  success: boolean;
  crits?: Count;
  worst?: boolean;
  extras?: Extra[];
}
/**
 * One die as it fell. `mark`: `crit` counts as a critical, `bought` was paid for, `minus` is taken away.
 */
export interface Die {
  role: Key;
  sides: number;
  face: number;
  kept: boolean;
  mark?: "" | "bought" | "crit" | "minus";
}
/**
 * A further number of a result that only this ruleset has (`critDice`, `boonBaneValue`, `level`).
 */
export interface Extra {
  key: Key;
  value: Small;
}
/**
 * Something its roller or the GM may do after a check. Stays listed when it became illegal, with `why`.
 *
 * `note`: words of his own may go with it (`Choose.args.note`), as what exactly a ruling means. `lapse`: what it comes
 * to where very many are waiting and nobody took any.
 */
export interface ChoiceOffer {
  id: Key;
  label: Label;
  who: "gm" | "roller";
  enabled?: boolean;
  why?: Key | null;
  default?: boolean;
  cost?: Count;
  left?: Count | null;
  chance?: Chance | null;
  note?: boolean;
  lapse?: boolean;
}
/**
 * A shared resource (`boons`) moved. `applied` differs from `asked` where a cap or an empty pool bit.
 *
 * `unearned`: so many of those gained in this session were taken back by a correction.
 */
export interface ResourceChanged {
  t: "ResourceChanged";
  resource: Key;
  asked: Small;
  applied: Small;
  reason: Key;
  unearned?: Count;
}
/**
 * A condition of an actor gained (`change` > 0) or lost stacks; `now` is what stands afterwards.
 */
export interface ConditionChanged {
  t: "ConditionChanged";
  actor: ActorId;
  condition: Key;
  change: Small;
  now: Count;
  until?: Key | null;
}
/**
 * A condition ended by what was rolled: a luck roll that succeeded (C-P2).
 */
export interface ConditionEnded {
  t: "ConditionEnded";
  actor: ActorId;
  condition: Key;
  by?: ActorId | null;
}
/**
 * The same action may not be tried again until the fiction changes. Empty action: nothing is locked.
 */
export interface LockSet {
  t: "LockSet";
  actor: ActorId;
  action: Label;
}
/**
 * What kept an action from being tried again has changed, or its goal was reached at a cost (A-24, X-A8).
 */
export interface LockCleared {
  t: "LockCleared";
  actor: ActorId;
  action: Label;
}
/**
 * A public switch of the encounter stands otherwise now; null: as if it had never been set.
 */
export interface MarkSet {
  t: "MarkSet";
  mark: Key;
  value: boolean | number | string | null;
}
/**
 * Somebody resists without dice: whoever acts against this has to reach `difficulty` (D-22).
 */
export interface ResistanceOffered {
  t: "ResistanceOffered";
  actor: ActorId;
  skill: Key;
  difficulty: Small;
}
/**
 * A die was added to the check for the price named by the `ResourceChanged` before it.
 */
export interface DieBought {
  t: "DieBought";
  sides: Count;
  face: Count;
}
/**
 * A one-use Boon or Bane for the next check of `to` (D-21); null: of whoever uses the situation, or is affected by it.
 *
 * `side`: whose allies those are, where nobody may know who made it.
 */
export interface ChanceGranted {
  t: "ChanceGranted";
  to?: ActorId | null;
  sign: Sign;
  uses?: Count;
  side?: Side | null;
}
/**
 * What the criticals of an attack do: `times` criticals, `amount` in all (B-21, B-23).
 */
export interface OnCritApplied {
  t: "OnCritApplied";
  name: Label;
  times: Count;
  amount: Count;
}
/**
 * Somebody at the table owes the fiction something.
 *
 * `duty`: `consequence`, `extra_benefit`, `serious_complication` (A) or `severe_consequence` (D).
 */
export interface DutyNoted {
  t: "DutyNoted";
  duty: Key;
}
/**
 * Experience of an actor that was earned (D-28) or spent (D-29).
 */
export interface XpChanged {
  t: "XpChanged";
  actor: ActorId;
  change: Small;
  now: Count;
}
/**
 * What an actor has of one condition now, from all who gave it: a correction brought it about.
 */
export interface ConditionsPut {
  t: "ConditionsPut";
  actor: ActorId;
  condition: Key;
  held?: HeldCondition[];
}
/**
 * A Boon or Bane that a correction brought back.
 */
export interface GrantPut {
  t: "GrantPut";
  grant: GrantRecord;
}
/**
 * A Boon or Bane that a correction took away.
 */
export interface GrantTaken {
  t: "GrantTaken";
  actor: ActorId;
  grant: GrantId;
}
/**
 * Resistance that was offered is not offered any more: a correction took it away.
 */
export interface ResistanceTaken {
  t: "ResistanceTaken";
  actor: ActorId;
}
/**
 * An opportunity that a correction brought back.
 */
export interface OpportunityPut {
  t: "OpportunityPut";
  opportunity: OpportunityRecord;
}
/**
 * `opportunity/ID`: a tactical benefit that waits for whoever uses it, once (D-21).
 *
 * A positive one is for allies of `by`, a negative one for the checks of opponents that it affects. `side`: whose allies,
 * where nobody may know who made it.
 */
export interface OpportunityRecord {
  id: CheckId;
  label: Label;
  sign: Sign;
  by: ActorId;
  name: Name;
  side?: Side | null;
}
/**
 * An opportunity that a correction took away.
 */
export interface OpportunityTaken {
  t: "OpportunityTaken";
  opportunity: CheckId;
}
/**
 * Help that waits for the GM again, since the roll it went with was taken back.
 */
export interface AssistPut {
  t: "AssistPut";
  assist: AssistRecord;
}
/**
 * An actor may answer a request again, since the roll that answered it was taken back.
 */
export interface RowReopened {
  t: "RowReopened";
  request: RequestId;
  actor: ActorId;
}
/**
 * Exact chances before the click. `success` includes criticals.
 */
export interface Odds {
  success: Chance;
  critical: Chance;
  worst: Chance;
}
/**
 * Other dice than those of a check, complete. `bonus` is the sum of the formula's plain numbers.
 *
 * `roll` numbers it among the checks of its commit. `actor` is absent where it was rolled for nobody in particular;
 * `sources` only where a rule of the table grants Boons to damage. `manual`: the dice lay on a real table.
 * `auto`: the end of the round rolled it.
 */
export interface DiceRolled {
  t: "DiceRolled";
  roll: CheckId;
  actor?: ActorId | null;
  name?: Label;
  kind?: "damage" | "dice";
  label?: Label;
  mode: Mode;
  formula: Name;
  terms: DiceTerm[];
  dice: Die[];
  bonus: Small;
  total: Small;
  sources?: Source[];
  rule?: Label;
  manual?: boolean;
  auto?: boolean;
}
/**
 * One group of dice in a formula. `keep` so many of them, the highest or the lowest; all where absent.
 */
export interface DiceTerm {
  count: number;
  sides: number;
  minus?: boolean;
  keep?: Count | null;
  lowest?: boolean;
}
/**
 * To the roller of a blind check, or of other dice (`kind` `dice`, `damage`): that it was made. Nothing else.
 */
export interface CheckNoted {
  t: "CheckNoted";
  check: CheckId;
  actor: ActorId;
  name: Name;
  kind: Key;
  action?: Label;
}
/**
 * The number a check was compared with, for those who may know it, and what of the result would tell it.
 */
export interface TargetFixed {
  t: "TargetFixed";
  check: CheckId;
  target: Small;
  odds?: Odds | null;
  extras?: Extra[];
}
/**
 * A choice after a check was taken. `auto`: nobody had to, it was the only legal one or the default.
 *
 * `result` is the whole result as it stands now, where dice were added; the earlier one is in the log. Its last
 * `drawn` dice were drawn by this choice, in this order; those before them were drawn earlier. `note`: what whoever
 * chose said of it. `manual`: its dice lay on a real table.
 */
export interface Chosen {
  t: "Chosen";
  check: CheckId;
  choice: Key;
  actor: ActorId;
  auto?: boolean;
  result?: Result | null;
  drawn?: Count;
  choices?: ChoiceOffer[];
  effects?: Effect[];
  deferred?: boolean;
  note?: Note;
  manual?: boolean;
}
/**
 * A verb of the ruleset was used at the table.
 */
export interface Acted {
  t: "Acted";
  verb: Key;
  args?: {
    [k: string]: Scalar;
  };
  effects?: Effect[];
}
/**
 * An opportunity went with the roll that used it.
 */
export interface OpportunityUsed {
  t: "OpportunityUsed";
  opportunity: CheckId;
  check: CheckId;
}
/**
 * An opportunity that nobody used has passed.
 */
export interface OpportunityDropped {
  t: "OpportunityDropped";
  opportunity: CheckId;
}
/**
 * A GM asks several actors for a check. Difficulties that players may not know are left out (`DifficultiesSet`).
 */
export interface CheckRequested {
  t: "CheckRequested";
  request: RequestRecord;
}
/**
 * `request/ID`: a request with a row for each actor, and its result once it is over.
 *
 * `group`: how the rolls belong together (`RulesetInfo.groups`), `difficulty` what the group has to reach where it
 * has a number of its own. `shown`: players may know the difficulties. `sources`: Boons and Banes that the GM set for
 * every roll. `over`: `complete`, `closed` by a GM, `expired`; null while it is open.
 */
export interface RequestRecord {
  id: RequestId;
  by: UserId;
  checks: AskedCheck[];
  action?: Label;
  mode?: Mode;
  group?: Key;
  difficulty?: Small | null;
  shown?: boolean;
  sources?: SourceClaim[];
  target?: ActorId | null;
  expiresAt?: Moment | null;
  note?: Note;
  rows: RequestRow[];
  over?: Key | null;
  result?: GroupResult | null;
}
/**
 * One actor of a request. `absent`: a GM rolled for him. `check` is missing where this viewer may not read the roll.
 */
export interface RequestRow {
  actor: ActorId;
  name: Name;
  status?: "declined" | "expired" | "rolled" | "sent";
  check?: CheckId | null;
  absent?: boolean;
}
/**
 * What a request came to as a whole, of those who rolled. `success` is null where it is each for himself.
 *
 * `total` and `target`: where the rolls are added up (D-23); a hidden target is left out. `winners`: of a contest;
 * several are a tie.
 */
export interface GroupResult {
  outcome: Key;
  success?: boolean | null;
  counted: Count;
  succeeded: Count;
  crits?: Count;
  worst?: Count;
  total?: Small | null;
  target?: Small | null;
  winners?: ActorId[];
}
/**
 * The checks of a request with the difficulties that players may not know, and that of the group.
 */
export interface DifficultiesSet {
  t: "DifficultiesSet";
  request: RequestId;
  checks: AskedCheck[];
  difficulty?: Small | null;
}
/**
 * An actor has rolled for a request. `check` stands with those who may read the roll; others hear that it was made.
 */
export interface RequestAnswered {
  t: "RequestAnswered";
  request: RequestId;
  actor: ActorId;
  check?: CheckId | null;
  absent?: boolean;
}
/**
 * An actor does not roll for a request.
 */
export interface Declined {
  t: "Declined";
  request: RequestId;
  actor: ActorId;
}
/**
 * These actors did not answer a request, and cannot any more.
 */
export interface RequestExpired {
  t: "RequestExpired";
  request: RequestId;
  actors: ActorId[];
}
/**
 * A request is over. `result` is absent where nobody rolled, and where not everybody may know it (`GroupTold`).
 *
 * `forgets`: older requests that are over, and that the table keeps no longer. `checks`: its rolls of which nobody could
 * choose anything any more but to leave them as they are (D-23).
 */
export interface RequestClosed {
  t: "RequestClosed";
  request: RequestId;
  why: "closed" | "complete" | "expired";
  result?: GroupResult | null;
  effects?: Effect[];
  forgets?: RequestId[];
  checks?: CheckId[];
}
/**
 * What a request came to of which not everybody saw every roll. Its `effects` have changed nothing yet.
 */
export interface GroupTold {
  t: "GroupTold";
  request: RequestId;
  result: GroupResult;
  effects?: Effect[];
}
/**
 * What a request came to after a correction of one of its rolls.
 *
 * `effects`: what is taken back; `brings`: what it brings now.
 */
export interface GroupRecounted {
  t: "GroupRecounted";
  request: RequestId;
  result?: GroupResult | null;
  effects?: Effect[];
  brings?: Effect[];
  left?: Left[];
}
/**
 * Something that a correction leaves as it is, because it was used, or ended, in the meantime.
 *
 * `what`: `resource`, `condition`, `grant`, `opportunity`, `resistance`, `assist`, `choice`, `xp`. `key`:
 * which of them, `label` in words. `amount` is what would have to be given back, or taken away. `why`: `spent_since`,
 * `used_since`, `rolled_since`, `full`, `evening_over`, `closed_by_it`.
 */
export interface Left {
  what: Key;
  key?: NoKey;
  actor?: ActorId | null;
  label?: Label;
  amount?: Count;
  why: Key;
}
/**
 * An evening began, the group with no Boons. `session` numbers the evenings of a table from 1.
 */
export interface SessionStarted {
  t: "SessionStarted";
  session: Count;
  name?: Label;
}
/**
 * An evening ended. What ended with it stands before this in the same commit.
 *
 * `checks`: what else was still open on rolls that everybody saw, and is not any more. `opportunities`: passed unused.
 */
export interface SessionEnded {
  t: "SessionEnded";
  session: Count;
  xp?: XpEarned[];
  checks?: CheckId[];
  opportunities?: CheckId[];
}
/**
 * Experience that an evening brought an actor.
 */
export interface XpEarned {
  actor: ActorId;
  name: Name;
  amount: Count;
  now: Count;
}
/**
 * Hidden checks that will do nothing to the table any more, since the evening is over.
 */
export interface UnsettledDropped {
  t: "UnsettledDropped";
  checks: CheckId[];
}
/**
 * A GM said that it is still the same evening.
 */
export interface SessionContinued {
  t: "SessionContinued";
}
/**
 * What the table may edit, as it stands from now on; null: the game's own.
 */
export interface TableDataSet {
  t: "TableDataSet";
  data: TableData | null;
}
/**
 * Something was taken back. It stays in the log, struck through. `effects`: what that changed at the table.
 *
 * `left`: what could not be brought back, because it was used or ended in the meantime.
 */
export interface Voided {
  t: "Voided";
  what: DeedId;
  reason?: Note;
  effects?: Effect[];
  left?: Left[];
}
/**
 * A GM decided otherwise what a check came to. `effects`: what is taken back; `brings`: what it brings now instead.
 */
export interface Overridden {
  t: "Overridden";
  check: CheckId;
  outcome: Key;
  reason?: Note;
  result: Result;
  choices?: ChoiceOffer[];
  effects?: Effect[];
  brings?: Effect[];
  left?: Left[];
  deferred?: boolean;
}
/**
 * A check that not everybody saw, as it stands, for everybody from now on. `mode`: how it was rolled.
 *
 * `effects`: what it does to the table now. `taken`: the choices made on it. `alone`: only its roller saw it, so it
 * does nothing.
 */
export interface Revealed {
  t: "Revealed";
  rolled: Rolled;
  mode: Mode;
  sources: Source[];
  result: Result;
  choices?: ChoiceOffer[];
  taken?: Key[];
  effects?: Effect[];
  alone?: boolean;
}
/**
 * What a hidden check did to the table, for everybody; and, to those who know of it, which check it was.
 */
export interface Settled {
  t: "Settled";
  check?: CheckId | null;
  effects?: Effect[];
}
/**
 * A commit of which this viewer may read nothing; it changes nothing he is shown.
 */
export interface Hidden {
  t: "hidden";
  seq: Seq;
  hash: Hex;
  seedHash: Hex;
}
/**
 * Live from here.
 */
export interface CaughtUp {
  t: "caughtUp";
  head: Seq;
}
/**
 * On disk as commit `seq`. `changed: false`: nothing to do, no commit; `seq` is the head then.
 */
export interface Ack {
  t: "ack";
  id: CommandId;
  seq: Seq;
  changed?: boolean;
}
/**
 * Not done, nothing stored. `code` is one of those in `codes.json`; `message` the English fallback.
 */
export interface Refused {
  t: "refused";
  code: string;
  message: string;
  id?: CommandId | null;
  values?: {
    [k: string]: Scalar;
  };
  retryAfterMs?: number | null;
}
/**
 * The answer to `preview`, true as of commit `seen`.
 */
export interface Previewed {
  t: "previewed";
  id: CommandId;
  seen: Seq;
  rows: PreviewRow[];
}
/**
 * What would apply to one actor against one target. `curve` instead of `odds` where the target is hidden.
 *
 * `retry`: the same action failed before. `ask`: the roll needs to say what changed; `warn`: it need not.
 */
export interface PreviewRow {
  actor?: ActorId | null;
  name: Name;
  opponent?: ActorId | null;
  opponentName?: Label;
  target?: Small | null;
  sources: Source[];
  net: Small;
  boons?: number;
  banes?: number;
  bonus?: Small;
  dice: DieSpec[];
  odds?: Odds | null;
  curve?: TotalChance[] | null;
  retry?: "" | "ask" | "warn";
}
/**
 * Dice that would be rolled: `count` of one kind.
 */
export interface DieSpec {
  role: Key;
  sides: number;
  count?: number;
}
/**
 * One point of a curve of totals.
 */
export interface TotalChance {
  total: Small;
  chance: Chance;
}
/**
 * The answer to `foresee`: the events it would come to as of commit `seen`, as far as this viewer may read them.
 */
export interface Foreseen {
  t: "foreseen";
  id: CommandId;
  seen: Seq;
  events: Event[];
}
/**
 * Somebody has a request before his eyes; to GMs (feature `requests`).
 */
export interface SeenBy {
  t: "seenBy";
  request: RequestId;
  user: UserId;
}
/**
 * Somebody is putting a public roll together; null: not any more (feature `composing`). To everybody but himself.
 */
export interface Underway {
  t: "underway";
  user: UserId;
  on: Attempt | null;
}
/**
 * The answer to `history`, oldest first. `more`: there is more in that direction.
 *
 * Where something was looked for: `marks` of the commits, and the commit that was `looked` at last; go on from there.
 */
export interface Page {
  t: "page";
  id: CommandId;
  commits: (Logged | Hidden)[];
  more: boolean;
  marks?: Marked[];
  looked?: Seq | null;
}
/**
 * What a commit may be found by, as far as this viewer may read it.
 */
export interface Marked {
  seq: Seq;
  marks: MarkKind[];
}
/**
 * The answer to `at`: entries as they were then, without those that are about the moment only (open checks, offers).
 *
 * `at`: when that commit was made. `more`: there is more behind the last key.
 */
export interface AsOf {
  t: "asOf";
  id: CommandId;
  seq: Seq;
  at: Moment;
  entries: Entry[];
  more?: boolean;
}
/**
 * Everything to recompute seed, faces and chain of one commit. `promisedBy` published its seed hash.
 */
export interface Proven {
  t: "proven";
  id: CommandId;
  seq: Seq;
  prevHash: Hex;
  hash: Hex;
  header: string;
  parts: {
    [k: string]: ProvenPart;
  };
  promisedBy: Seq | null;
}
/**
 * A readable part has `bytes`, `salt` and `seed`; any other only its leaf and the hash of its seed.
 */
export interface ProvenPart {
  bytes?: string | null;
  salt?: Hex | null;
  seed?: Hex | null;
  leaf?: Hex | null;
  seedHash?: Hex | null;
}
/**
 * This connection, and for the moment no other, is to post the cards of these commits in the chat (feature `post`).
 *
 * `cards`: one message for each of these commits. Where it is empty there are too many, `count` of them: one
 * message says so. Answered with `posted`; where no answer comes within `limits.postSeconds` it moves on.
 */
export interface Post {
  t: "post";
  from: Seq;
  to: Seq;
  count: number;
  cards?: Seq[];
}
/**
 * Who is here.
 */
export interface Presence {
  t: "presence";
  users: Person[];
}
/**
 * Somebody at the table. `gone`: his access was taken back; the log still speaks of him.
 */
export interface Person {
  id: UserId;
  name: Name;
  role: Role;
  online: boolean;
  gone?: boolean;
}
/**
 * The answer to `people` and `dropCode`: people, codes that are open, and the origins that the table admits.
 */
export interface Roster {
  t: "roster";
  id: CommandId;
  people: PersonDevices[];
  codes?: CodeOpen[];
  origins?: HttpOrigin[];
}
/**
 * Somebody who may take part, or might once, with his devices, the last used first.
 *
 * `named`: false where nobody knows what he is called (any more); `name` is his id then.
 */
export interface PersonDevices {
  id: UserId;
  name: Name;
  named?: boolean;
  role: Role;
  gone?: boolean;
  devices?: Device[];
}
/**
 * What a person connects with. `address`: where it last came from. `gone`: its access was taken back.
 */
export interface Device {
  id: DeviceId;
  client: Name;
  version?: string;
  kind: "cli" | "foundry" | "page";
  address?: string;
  since: Moment;
  seen: Moment;
  online: boolean;
  gone?: boolean;
}
/**
 * A code that nobody used yet. `user`: whose it is; `by`: who made it (null: the operator of the bridge).
 */
export interface CodeOpen {
  /**
   * A code that is open, without the code.
   */
  id: string;
  kind: "link" | "typed";
  role: Role;
  user?: UserId | null;
  name?: Label;
  by?: UserId | null;
  made: Moment;
  expiresAt: Moment;
}
/**
 * The answer to `makeCode`: to the asking connection alone, and never again.
 *
 * `link` opens the page that was named, with the code behind `#`; `qr` is the same to be scanned: rows of 0 and 1, a
 * character for each module, without a margin.
 */
export interface CodeMade {
  t: "codeMade";
  id: CommandId;
  code: string;
  /**
   * A code that is open, without the code.
   */
  codeId: string;
  user: UserId;
  role: Role;
  expiresAt: Moment;
  link?: string | null;
  qr?: string[];
}
/**
 * Before the server closes the connection, with the same code and reason.
 */
export interface Bye {
  t: "bye";
  code: number;
  reason: string;
  retryAfterMs?: number | null;
}
/**
 * What everybody may know of a commit. `seedHash` is the promise for commit `seq + 64`.
 */
export interface Header {
  format: number;
  table: TableId;
  epoch: number;
  seq: Seq;
  at: Moment;
  ruleset: Key;
  version: number;
  seedHash: Hex;
}
/**
 * What one group of readers may know of a commit. `options`: the readings in force that are not the default.
 */
export interface Part {
  id: SystemId;
  by: UserId;
  events: Event[];
  command?: Command | null;
  options?: {
    [k: string]: boolean | number | string | null;
  };
}
/**
 * House rules of a table as one file: its table data, and its readings of the rules.
 */
export interface TableFile {
  format?: "boonbridge.house-rules";
  version?: 1;
  name?: Name;
  data: TableData;
  options?: {
    [k: string]: boolean | number | string | null;
  };
}
/**
 * What this is. `viewer` null: the operator's complete export, every part of every commit.
 *
 * `names`: what people are called, since the log does not say; not part of the chain, and proven by nothing.
 */
export interface ExportHead {
  t: "export";
  format: number;
  table: TableId;
  title: Name;
  ruleset: Key;
  bridge: string;
  made: Moment;
  viewer?: ExportViewer | null;
  names?: {
    [k: string]: Name;
  };
}
/**
 * Whose eyes an export is for. `user` null: nobody in particular, so that no part of a roller is in it.
 */
export interface ExportViewer {
  role: Role;
  user?: UserId | null;
}
/**
 * One commit, as `proven` shows it: readable parts with bytes, salt and seed, of the others only hashes.
 */
export interface ExportCommit {
  t: "commit";
  seq: Seq;
  prevHash: Hex;
  hash: Hex;
  header: string;
  parts: {
    [k: string]: ProvenPart;
  };
  promisedBy: Seq | null;
}
/**
 * Where the log ended: so many commits, the last hash, and the mark that only the bridge that wrote it can make.
 *
 * `mac = HMAC-SHA256(key, "head" | table | epoch | seq | hash)` with the table's key of that epoch.
 */
export interface ExportTrailer {
  t: "trailer";
  count: Seq;
  hash: Hex;
  epoch: number;
  mac: Hex;
}
/**
 * SHA-256 of every byte before this line: finds what was damaged on the way, also where the chain does not reach.
 */
export interface ExportEnd {
  t: "end";
  sha256: Hex;
}
/**
 * `actor/ID`. `numbers` is absent where this viewer may not see them.
 *
 * `locks`: actions that failed and may not be tried again until something changes. `xp`: experience earned and
 * not spent yet (D-28).
 */
export interface ActorEntry {
  id: ActorId;
  name: Name;
  side: Side;
  owners: UserId[];
  numbers?: Numbers | null;
  xp?: Count;
  locks?: Label[];
}
/**
 * `grants/ACTOR`: the Boons and Banes that stand on an actor.
 */
export interface GrantsEntry {
  actor: ActorId;
  grants: GrantRecord[];
}
/**
 * `conditions/ACTOR`.
 */
export interface ConditionsEntry {
  actor: ActorId;
  conditions: HeldCondition[];
}
/**
 * The value of a state entry `check/ID`: the last check of an actor, and what is still open on it.
 */
export interface PendingCheck {
  check: CheckId;
  actor: ActorId;
  roller: UserId;
  mode: Mode;
  result: Result;
  choices: ChoiceOffer[];
  note?: Note;
}
/**
 * `pool`: a shared resource, `held` now and `gained` this session, with its cap.
 */
export interface PoolEntry {
  held: number;
  gained: number;
  cap: number;
}
/**
 * `marks`: public switches of the encounter, by key. One that was never set is absent.
 */
export interface MarksEntry {
  marks: {
    [k: string]: Scalar;
  };
}
/**
 * `turn`: the round, and whose turn it is (null: nobody's). Absent while no turns are counted.
 */
export interface TurnEntry {
  /**
   * A fight, as a tracker calls it.
   */
  combat: string;
  round: Count;
  actor?: ActorId | null;
}
/**
 * `options`: every option of the table with its value.
 */
export interface OptionsEntry {
  options: {
    [k: string]: boolean | number | string | null;
  };
}
/**
 * `table`: what it is called, once that was changed after this client's `welcome`.
 */
export interface TableEntry {
  title: Name;
}
/**
 * `person/USER`: who may take part. Names come with `presence`.
 */
export interface PersonEntry {
  id: UserId;
  role: Role;
}
/**
 * `resistance/ACTOR`: whoever acts against this has to reach the difficulty (D-22); it goes with that roll.
 */
export interface ResistanceEntry {
  actor: ActorId;
  skill: Key;
  difficulty: Small;
}
/**
 * `session`: the evening that runs, or the last one. `asks`: what a GM may want to decide: `new_evening`.
 */
export interface SessionEntry {
  number: Count;
  name?: Label;
  since: Moment;
  running: boolean;
  asks?: Key | null;
}
