/** The protected methods that subclasses of modules override: each of ours must be one of Foundry's. */

import type * as api from "../client/application.mjs";
import type { ChatMessage as StageChatMessage } from "../client/chat-message.mjs";
import type * as dice from "../client/dice.mjs";

type Hidden<T> = Exclude<Extract<keyof T, `_${string}`>, `_stage${string}` | "_id" | "_source">;
type Known<T> = Record<Hidden<T>, unknown>;

const { ApplicationV2, DialogV2, DocumentSheetV2, HandlebarsApplicationMixin } = foundry.applications.api;

export class Windows extends ApplicationV2 {
  names(): Known<api.ApplicationV2> {
    return {
      _initializeApplicationOptions: this._initializeApplicationOptions,
      _configureRenderOptions: this._configureRenderOptions,
      _canRender: this._canRender,
      _prepareContext: this._prepareContext,
      _getTabsConfig: this._getTabsConfig,
      _prepareTabs: this._prepareTabs,
      _renderHTML: this._renderHTML,
      _replaceHTML: this._replaceHTML,
      _renderFrame: this._renderFrame,
      _updateFrame: this._updateFrame,
      _getHeaderControls: this._getHeaderControls,
      _renderHeaderControl: this._renderHeaderControl,
      _insertElement: this._insertElement,
      _removeElement: this._removeElement,
      _tearDown: this._tearDown,
      _preFirstRender: this._preFirstRender,
      _onFirstRender: this._onFirstRender,
      _preRender: this._preRender,
      _onRender: this._onRender,
      _postRender: this._postRender,
      _preClose: this._preClose,
      _onClose: this._onClose,
      _prePosition: this._prePosition,
      _onPosition: this._onPosition,
      _updatePosition: this._updatePosition,
      _attachFrameListeners: this._attachFrameListeners,
      _onClickAction: this._onClickAction,
      _onClickTab: this._onClickTab,
      _onSubmitForm: this._onSubmitForm,
      _onChangeForm: this._onChangeForm,
    };
  }
}

type Templated = InstanceType<ReturnType<typeof api.HandlebarsApplicationMixin>>;

export class Templates extends HandlebarsApplicationMixin(ApplicationV2) {
  names(): Known<Omit<Templated, keyof api.ApplicationV2>> {
    return {
      _configureRenderOptions: this._configureRenderOptions,
      _configureRenderParts: this._configureRenderParts,
      _preFirstRender: this._preFirstRender,
      _preparePartContext: this._preparePartContext,
      _renderHTML: this._renderHTML,
      _replaceHTML: this._replaceHTML,
      _preSyncPartState: this._preSyncPartState,
      _syncPartState: this._syncPartState,
      _attachPartListeners: this._attachPartListeners,
      _tearDown: this._tearDown,
    } as Known<Omit<Templated, keyof api.ApplicationV2>>;
  }
}

export class Dialogs extends DialogV2 {
  names(): Known<Omit<api.DialogV2, keyof api.ApplicationV2>> {
    return { _renderButtons: this._renderButtons, _onKeyDown: this._onKeyDown, _onSubmit: this._onSubmit };
  }
}

export class Sheets extends DocumentSheetV2<Actor.Implementation> {
  names(): Known<Omit<api.DocumentSheetV2, keyof api.ApplicationV2>> {
    return {};
  }
}

export class Rolls extends foundry.dice.Roll {
  names(): Known<dice.Roll> {
    return { _formula: this._formula, _evaluated: this._evaluated, _total: this._total, _dice: this._dice, _evaluateTotal: this._evaluateTotal };
  }
}

export class Messages extends ChatMessage {
  names(): Known<StageChatMessage> {
    return {
      _initialize: this._initialize,
      _preCreate: this._preCreate,
      _preUpdate: this._preUpdate,
      _preDelete: this._preDelete,
      _onCreate: this._onCreate,
      _onUpdate: this._onUpdate,
      _onDelete: this._onDelete,
    };
  }
}
